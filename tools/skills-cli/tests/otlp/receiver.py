"""A receiver of OTLP over HTTP: decodes each request by the official classes of the protocol and prints it as a line of JSON."""

import gzip
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

SIGNALS = {
    "/v1/traces": (ExportTraceServiceRequest, ExportTraceServiceResponse),
    "/v1/metrics": (ExportMetricsServiceRequest, ExportMetricsServiceResponse),
}


def hexadecimal(value):
    """Converts ids: the JSON of protobuf writes their bytes in Base64, and the JSON of OTLP in hexadecimal digits."""
    import base64

    if isinstance(value, list):
        return [hexadecimal(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        key: base64.b64decode(item).hex() if key in ids and isinstance(item, str) else hexadecimal(item)
        for key, item in value.items()
    }


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self):
        """Prints the path: whoever has read this line has read the lines of all earlier requests."""
        print(json.dumps({"mark": self.path}), flush=True)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        request, response = SIGNALS[self.path]
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        assert self.headers["content-type"] == "application/x-protobuf", self.headers
        message = request()
        message.ParseFromString(body)
        print(json.dumps({"path": self.path, "body": hexadecimal(MessageToDict(message))}), flush=True)
        answer = response().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(json.dumps({"port": server.server_address[1]}), flush=True)
sys.stdout.flush()
server.serve_forever()
