#!/usr/bin/env python3
"""Turns a CSV file into a profile of its columns: JSON {path, delimiter?, max_rows?} on stdin, JSON on stdout.

Exit code 0: a profile was printed; 1: the file cannot be read as CSV; 2: the request is not valid. Errors go to stderr.
"""

import csv
import datetime
import hashlib
import io
import json
import math
import os
import re
import stat
import sys
from collections import Counter

MISSING = {"", "na", "n/a", "nan", "null", "none"}
BOOLEANS = {"true", "false", "yes", "no"}
SNIFFED = ",;\t|"
SAMPLE_BYTES = 65536
MAX_DISTINCT = 100_000
SHOWN_CHARS = 80
TOP_VALUES = 5

INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})")
DIGITS = re.compile(r"[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)


class Failure(Exception):
    """An error for the caller: exit code and text."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def main():
    request = read_request()
    write(sys.stdout, json.dumps(profile(**request), ensure_ascii=False, indent=2) + "\n")


def read_request():
    raw = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    if not raw.strip():
        raise Failure(2, 'no input: expected JSON on stdin, for example {"path": "data.csv"}')
    try:
        request = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Failure(2, "the input is not UTF-8 (byte %d)" % error.start)
    except RecursionError:
        raise Failure(2, "the input is nested too deeply")
    except ValueError as error:
        raise Failure(2, "the input is not JSON: %s" % error)
    if not isinstance(request, dict):
        raise Failure(2, "the input must be a JSON object")
    for key in request:
        if key not in ("path", "delimiter", "max_rows"):
            raise Failure(2, "/%s: unknown key; expected path, delimiter, max_rows" % key)
    path, delimiter, max_rows = (request.get(key) for key in ("path", "delimiter", "max_rows"))
    if not isinstance(path, str) or not path or "\0" in path:
        raise Failure(2, "/path: expected the path of a CSV file")
    if "delimiter" in request and not (
        isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n\0' and encodable(delimiter)
    ):
        raise Failure(2, "/delimiter: expected one character, neither a double quote nor a line end")
    if "max_rows" in request:
        whole = isinstance(max_rows, int) or (isinstance(max_rows, float) and max_rows.is_integer())
        if isinstance(max_rows, bool) or not whole or max_rows < 1:
            raise Failure(2, "/max_rows: expected an integer, 1 or more")
    return {"path": path, "delimiter": delimiter, "max_rows": max_rows}


def encodable(text):
    return not any("\ud800" <= char <= "\udfff" for char in text)


def profile(path, delimiter, max_rows):
    with open_regular(path) as raw:
        sample = raw.read(SAMPLE_BYTES)
        raw.seek(0)
        if not sample:
            raise Failure(1, "%s: the file is empty" % path)
        encoding = encoding_of(sample)
        if encoding != "utf-16" and b"\0" in sample:
            raise Failure(1, "%s: holds NUL bytes: no CSV text, or UTF-16 without its byte order mark" % path)
        delimiter = delimiter or sniff(sample.decode(encoding, "replace"))
        # A field of any length is read: the file's own size is the limit.
        csv.field_size_limit(2**31 - 1)
        text = io.TextIOWrapper(raw, encoding=encoding, newline="")
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        try:
            return read_table(path, reader, encoding, delimiter, max_rows)
        except UnicodeDecodeError as error:
            raise Failure(1, "%s: not %s: %s; convert the file to UTF-8 first"
                          % (path, encoding_name(encoding), bad_place(path, encoding) or error.reason))
        except csv.Error as error:
            raise Failure(1, "%s:%d: %s" % (path, reader.line_num, error))


def open_regular(path):
    try:
        # Checked first, since opening a pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Failure(1, "%s: not a regular file" % path)
        return open(path, "rb")
    except UnicodeEncodeError:
        raise Failure(2, "/path: holds a character that no file name can have")
    except OSError as error:
        raise Failure(1, "%s: %s" % (path, error.strerror or error))


def encoding_of(sample):
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-8-sig"


def bad_place(path, encoding):
    """Returns the line and byte of the first fault in a UTF-8 file; the decoder only knows the position in its buffer."""
    if encoding == "utf-8-sig":
        with open_regular(path) as raw:
            for number, line in enumerate(raw, 1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError as error:
                    return "byte 0x%02x at line %d, byte %d" % (line[error.start], number, error.start + 1)
    return None


def encoding_name(encoding):
    return {"utf-16": "UTF-16", "utf-8-sig": "UTF-8"}[encoding]


def sniff(text):
    """Returns the most common of the usual delimiters in the first record, outside quotes; the comma if there is none."""
    record, quoted = Counter(), False
    for char in text:
        if char == '"':
            quoted = not quoted
        elif char in "\r\n" and not quoted and record:
            break
        elif char in SNIFFED and not quoted:
            record[char] += 1
    return max(SNIFFED, key=lambda char: record[char])


def read_table(path, reader, encoding, delimiter, max_rows):
    header = next((row for row in reader if row), None)
    if header is None:
        raise Failure(1, "%s: the file holds no header line" % path)
    columns = [Column(name.strip() or "column_%d" % number) for number, name in enumerate(header, 1)]
    rows, uneven, first_uneven, truncated = 0, 0, None, False
    for row in reader:
        if not row:
            continue
        if max_rows is not None and rows >= max_rows:
            truncated = True
            break
        rows += 1
        if len(row) != len(columns):
            uneven += 1
            first_uneven = first_uneven or reader.line_num
        for number, column in enumerate(columns):
            column.add(row[number] if number < len(row) else "")
    repeated = [name for name, count in Counter(column.name for column in columns).items() if count > 1]
    return {
        "path": path,
        "encoding": encoding_name(encoding),
        "delimiter": delimiter,
        "rows": rows,
        "truncated": truncated,
        "unevenRows": uneven,
        "firstUnevenLine": first_uneven,
        "repeatedNames": repeated,
        "columns": [column.summary() for column in columns],
    }


class Column:
    """The facts about one column so far. Its size does not grow beyond MAX_DISTINCT values."""

    def __init__(self, name):
        self.name = name
        self.missing = 0
        self.kinds = Counter()
        self.ranges = {}
        self.total = 0
        self.values = {}
        self.capped = False

    def add(self, cell):
        value = cell.strip()
        # Long values are counted by digest, with a start to show.
        known = value if len(value) <= SHOWN_CHARS else (shown(value), hashlib.sha256(value.encode()).digest())
        seen = self.values.get(known)
        if seen is None:
            if value.lower() in MISSING:
                self.missing += 1
                return
            kind, key = classify(value)
            self.widen(kind, key, value)
            self.widen("text", value, value)
            if len(self.values) < MAX_DISTINCT:
                self.values[known] = [1, kind, key]
            else:
                self.capped = True
        else:
            seen[0] += 1
            _, kind, key = seen
        self.kinds[kind] += 1
        if kind == "integer" or kind == "number":
            self.total += key

    def widen(self, kind, key, value):
        bounds = self.ranges.get(kind)
        if bounds is None:
            self.ranges[kind] = [key, value, key, value]
        elif key < bounds[0]:
            bounds[:2] = key, value
        elif key > bounds[2]:
            bounds[2:] = key, value

    def type(self):
        kinds = set(self.kinds)
        if not kinds:
            return "empty"
        if kinds == {"integer", "number"}:
            return "number"
        return "string" if len(kinds) > 1 or kinds == {"digits"} else kinds.pop()

    def bounds(self, kind):
        if kind in ("integer", "number"):
            ranges = [self.ranges[name] for name in ("integer", "number") if name in self.ranges]
            return min(low for low, _, _, _ in ranges), max(high for _, _, high, _ in ranges)
        _, low, _, high = self.ranges["text" if kind == "string" else kind]
        return shown(low), shown(high)

    def summary(self):
        kind = self.type()
        answer = {"name": self.name, "type": kind, "missing": self.missing, "distinct": len(self.values)}
        if self.capped:
            answer["distinctIsMinimum"] = True
        if kind == "empty":
            return answer
        if len(self.kinds) > 1 and kind == "string":
            answer["types"] = dict(sorted(self.kinds.items()))
        answer["min"], answer["max"] = self.bounds(kind)
        if kind in ("integer", "number"):
            mean = self.total / sum(self.kinds.values())
            # Twelve digits: the digits after them are only rounding errors of the sum.
            answer["mean"] = float("%.12g" % mean) if math.isfinite(mean) else None
        if not self.capped:
            top = sorted(((known if isinstance(known, str) else known[0], count)
                          for known, (count, _, _) in self.values.items()), key=lambda pair: (-pair[1], pair[0]))
            answer["top"] = [{"value": value, "count": count} for value, count in top[:TOP_VALUES]]
        return answer


def classify(value):
    """Returns the kind of a value, and its sort key within that kind."""
    if INTEGER.fullmatch(value):
        return "integer", int(value)
    if DIGITS.fullmatch(value):
        return "digits", value
    if NUMBER.fullmatch(value):
        number = float(value)
        return ("number", number) if math.isfinite(number) else ("string", value)
    if value.lower() in BOOLEANS:
        return "boolean", value.lower()
    if DATE.fullmatch(value):
        try:
            datetime.date.fromisoformat(value)
            return "date", value
        except ValueError:
            return "string", value
    match = DATETIME.fullmatch(value)
    if match:
        moment = instant(*match.groups())
        if moment is not None:
            return "datetime", moment
    return "string", value


def instant(date, hour, minute, second, fraction, zone):
    """Returns a time that can be compared; a value without a zone counts as UTC. None if the time does not exist."""
    try:
        day = datetime.date.fromisoformat(date)
        micros = int(((fraction or "") + "000000")[:6])
        moment = datetime.datetime.combine(day, datetime.time(int(hour), int(minute), int(second or 0), micros))
        if zone and zone != "Z":
            digits = zone[1:].replace(":", "")
            offset = datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
            moment = moment - offset if zone[0] == "+" else moment + offset
        return moment
    except (ValueError, OverflowError):
        return None


def shown(value):
    return value if len(value) <= SHOWN_CHARS else value[: SHOWN_CHARS - 1] + "…"


def report(text):
    """Writes to stderr; a closed stderr is not an error."""
    try:
        write(sys.stderr, "csv-profile: %s\n" % text)
    except OSError:
        pass


def write(stream, text):
    if stream is None:
        raise OSError("the output is closed")
    stream.buffer.write(text.encode("utf-8", "backslashreplace"))
    stream.buffer.flush()


if __name__ == "__main__":
    try:
        main()
        code = 0
    except Failure as failure:
        report("error: %s" % failure)
        code = failure.code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        report("error: %s" % error)
        code = 1
    # Everything is flushed. An immediate exit prevents a second exception for a closed pipe.
    os._exit(code)
