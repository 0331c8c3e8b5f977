// Draws the screen of a terminal as SVG. Each run of equal characters has its width in columns, so every font fits.
import terminal from '@xterm/headless';

const CELL = [8.4, 18];
const PADDING = 14;
const THEMES = {
  light: {
    back: '#ffffff', text: '#1f2328', frame: '#d1d9e0',
    palette: ['#24292f', '#cf222e', '#116329', '#7d4e00', '#0969da', '#8250df', '#1b7c83', '#6e7781',
      '#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'],
  },
  dark: {
    back: '#0d1117', text: '#e6edf3', frame: '#3d444d',
    palette: ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4',
      '#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff'],
  },
};

/** Creates a terminal of a size. */
export function screen(cols, rows) {
  return new terminal.Terminal({ cols, rows, allowProposedApi: true, convertEol: true });
}

/** Writes to a terminal, and waits until it has processed the text. */
export const write = (term, data) => new Promise((resolve) => term.write(data, resolve));

/** Returns the lines of a terminal as text. */
export function lines(term) {
  return Array.from({ length: term.rows }, (_, at) => term.buffer.active.getLine(at)?.translateToString(true) ?? '');
}

const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/** Returns the 256 colours of a terminal: 16 of the theme, a cube and greys. */
function colour(theme, index) {
  if (index < 16) return theme.palette[index];
  if (index > 231) return `rgb(${Array(3).fill(8 + (index - 232) * 10)})`;
  const level = (value) => (value === 0 ? 0 : 55 + 40 * value);
  const at = index - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level)})`;
}

function style(cell, theme) {
  const of = (kind) => {
    if (cell[`is${kind}RGB`]()) return `#${cell[`get${kind}Color`]().toString(16).padStart(6, '0')}`;
    if (cell[`is${kind}Palette`]()) return colour(theme, cell[`get${kind}Color`]());
    return null;
  };
  let [front, back] = [of('Fg') ?? theme.text, of('Bg')];
  if (cell.isInverse()) [front, back] = [back ?? theme.back, front];
  return { front, back, bold: cell.isBold() !== 0, underline: cell.isUnderline() !== 0 };
}

/** Returns the runs of a line: text of one style, from a column on. */
function runs(term, line, theme) {
  const found = [];
  for (let column = 0; column < term.cols; column += 1) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = style(cell, theme);
    const text = cell.getChars() || ' ';
    const last = found.at(-1);
    if (last && JSON.stringify(last.look) === JSON.stringify(look)) {
      last.text += text;
      last.width += cell.getWidth();
    } else {
      found.push({ look, text, column, width: cell.getWidth() });
    }
  }
  return found;
}

/** Returns the screen as SVG, without the empty lines at its end. */
export function picture(term, scheme, title) {
  const theme = THEMES[scheme];
  const count = lines(term).findLastIndex((line) => line !== '') + 1;
  const [width, height] = [term.cols * CELL[0] + 2 * PADDING, count * CELL[1] + 2 * PADDING];
  const parts = [];
  for (let row = 0; row < count; row += 1) {
    const y = PADDING + row * CELL[1];
    for (const { look, text, column, width: columns } of runs(term, term.buffer.active.getLine(row), theme)) {
      const place = (from, count) => [(PADDING + from * CELL[0]).toFixed(1), (count * CELL[0]).toFixed(1)];
      const [left, whole] = place(column, columns);
      if (look.back) parts.push(`<rect x="${left}" y="${y}" width="${whole}" height="${CELL[1]}" fill="${look.back}"/>`);
      const [start, rest] = [text.length - text.trimStart().length, text.length - text.trimEnd().length];
      if (start === text.length) continue;
      const [x, long] = place(column + start, columns - start - rest);
      const more = `${look.bold ? ' font-weight="bold"' : ''}${look.underline ? ' text-decoration="underline"' : ''}`;
      const fill = look.front === theme.text ? '' : ` fill="${look.front}"`;
      parts.push(`<text x="${x}" y="${y + 13}" textLength="${long}"${fill}${more}>${escaped(text.trim().replaceAll(' ', '\u00a0'))}</text>`);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" role="img" aria-label="${escaped(title)}">
<rect x="0.5" y="0.5" width="${Math.ceil(width) - 1}" height="${Math.ceil(height) - 1}" rx="8" fill="${theme.back}" stroke="${theme.frame}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${theme.text}">
${parts.join('\n')}
</g>
</svg>
`;
}
