// The page in a browser: prints as JSON what a person would see, and leaves pictures (adapters/http/tests/page.rs runs it).
//
//   node page.mjs BROWSER URL PICTURES SCENE
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const [executablePath, url, pictures, scene] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const problems = [];

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 760 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => { if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`asks ${request.url()}`); });
  await page.goto(url);
  return page;
}
const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png` });
// Finds elements that extend beyond the sides of the window.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
// Elements out of view are not laid out, and have no inner text.
const names = (page) => page.locator('#catalog a b').allTextContents();
const texts = (locator) => locator.allInnerTexts();
const wrong = (page) => page.locator('.wrong:not([hidden])').evaluateAll((nodes) => nodes.map((node) => [node.id.replace(/^wrong-/, ''), node.innerText]));
const run = (page) => page.click('#form .go.first');
const ended = (page) => page.locator('#status.good, #status.bad').waitFor();
const output = async (page) => JSON.parse(await page.locator('#output details pre').first().textContent());
// Finds controls without a name for screen readers.
const unnamed = (page) => page.locator('input, select, textarea, button, summary').evaluateAll((nodes) => nodes.filter((node) => !(node.labels?.length || node.ariaLabel || node.innerText?.trim() || node.textContent.trim())).map((node) => node.outerHTML));
const steps = (page) => page.locator('#result .steps li').evaluateAll((nodes) => nodes.map((node) => [node.querySelector('b').textContent, node.querySelector('.state').textContent]));

// Returns what axe finds.
async function judge(page, name) {
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id} ${node.html.slice(0, 120)}`));
}

const scenes = {
  // Boxes of a picture lead to their skills, by mouse and by keyboard; a press that moves the picture does not.
  async links() {
    const page = await open(), seen = {};
    await page.click('#skill-paced');
    const boxes = page.locator('.picture svg a');
    await boxes.first().waitFor();
    seen.links = await boxes.evaluateAll((nodes) => nodes.map((node) => [node.querySelector('g').dataset.node, node.getAttribute('href')]));
    const { x, y, width, height } = await boxes.last().boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 30, y + height / 2 - 5, { steps: 4 });
    await page.mouse.up();
    seen.dragged = new URL(page.url()).hash;
    await page.locator('.picture svg a:has([data-node=second])').click();
    await page.locator('h2', { hasText: 'paces' }).waitFor();
    seen.clicked = new URL(page.url()).hash;
    await page.goto(`${url}#/`);
    await page.click('#whole summary');
    await page.locator('#whole svg a:has([data-node=double])').focus();
    await page.keyboard.press('Enter');
    await page.locator('h2', { hasText: 'double' }).waitFor();
    return { ...seen, pressed: new URL(page.url()).hash };
  },
  // A server that is gone is said in words, while a skill is opened and while one runs. Then the page goes on by itself.
  async lost() {
    const page = await open(), seen = {};
    await page.locator('#catalog a').first().waitFor();
    await page.context().setOffline(true);
    await page.click('#skill-prose');
    await page.locator('#lost:not([hidden])').waitFor();
    await page.locator('#main .bad').waitFor();
    seen.told = [await page.locator('#lost').innerText(), await page.locator('#main').innerText()];
    seen.axe = await judge(page, 'lost');
    await picture(page, 'lost');
    await page.context().setOffline(false);
    await page.locator('#main .md').waitFor();
    await page.locator('#lost.back').waitFor();
    seen.back = await page.locator('#lost').innerText();
    await page.locator('#lost').waitFor({ state: 'hidden' });
    await page.click('#skill-quick');
    await page.locator('#form').waitFor();
    await page.context().setOffline(true);
    await run(page);
    await ended(page);
    seen.run = await page.locator('#result').innerText();
    await page.context().setOffline(false);
    await page.locator('#lost.back').waitFor();
    // The form and its result stay.
    seen.stays = await page.locator('#result').isVisible();
    return seen;
  },
  // Each call of a tool waits for the person, who allows one and refuses another.
  async approve() {
    const page = await open(), seen = {};
    await page.click('#open-chat');
    await page.check('#ask-first');
    const say = async (text) => { await page.fill('#say', text); await page.press('#say', 'Enter'); };
    await say('double 4');
    await page.locator('.allow').waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    seen.asked = await page.locator('.tool').innerText();
    seen.axe = await judge(page, 'approve');
    await picture(page, 'approve');
    await page.reload();
    seen.kept = await page.isChecked('#ask-first');
    await page.click('.allow');
    await page.locator('.said', { hasText: 'Twice.' }).waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    seen.allowed = await page.locator('.tool summary').innerText();
    await say('again');
    await page.click('.deny');
    await page.locator('.said', { hasText: 'As you like.' }).waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    seen.refused = await page.locator('.tool summary').last().innerText();
    await say('once more');
    await page.locator('.allow').waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    await say('never mind');
    await page.locator('.said', { hasText: 'Fine.' }).waitFor();
    seen.passed = await page.locator('.tool summary').last().innerText();
    return { ...seen, said: await page.locator('.said').count(), buttons: await page.locator('.allow').count() };
  },
  // What to do after a failure of the model, for a call and in a chat.
  async advice() {
    const page = await open();
    await page.click('#skill-review');
    await page.fill('#field-code', 'x');
    await run(page);
    await ended(page);
    const call = await page.locator('#output').innerText();
    await page.click('#open-chat');
    await page.fill('#say', 'go');
    await page.press('#say', 'Enter');
    await page.locator('.said .bad').waitFor();
    return { call, chat: await page.locator('.said .bad').innerText() };
  },
  // A pipeline of thirty steps as a picture, while it runs and after, in light and dark; and which skill calls which.
  async graph() {
    const seen = {};
    for (const colorScheme of ['light', 'dark']) {
      const page = await open({ colorScheme, viewport: { width: 1400, height: 900 } });
      await page.click('#skill-thirty');
      await page.locator('.picture svg').waitFor();
      const svg = page.locator('.picture svg');
      // The whole picture, for people who look at the screenshot.
      await page.locator('.picture').evaluate((node) => { node.style.maxHeight = 'none'; });
      const states = () => svg.locator('g[data-node]').evaluateAll((nodes) => Object.fromEntries(nodes.map((node) => [node.dataset.node, node.dataset.state ?? ''])));
      await svg.screenshot({ path: `${pictures}/graph-${colorScheme}.png` });
      seen.before = await states();
      await run(page);
      // The second time, nothing delays the pipeline.
      await svg.locator(seen.during ? '[data-state=running]' : '[data-node=step_12][data-state=running]').first().waitFor();
      seen.during ??= await states();
      await svg.screenshot({ path: `${pictures}/graph-running-${colorScheme}.png` });
      await page.evaluate(() => fetch('/v1/skills/release/exec', { method: 'POST' }));
      await ended(page);
      seen.after = await states();
      seen.took = await svg.locator('.took').allTextContents();
      await svg.screenshot({ path: `${pictures}/graph-after-${colorScheme}.png` });
      await picture(page, `graph-page-${colorScheme}`);
      // Checks that every word is readable: within its box, large enough, and not overlapping others.
      seen.small = await svg.evaluate((node) => [...node.querySelectorAll('g[data-node]')].flatMap((box) => {
        const frame = box.querySelector('rect').getBoundingClientRect();
        return [...box.querySelectorAll('text:not(.took)')].filter((text) => {
          const words = text.getBoundingClientRect();
          return words.height < 10 || words.left < frame.left || words.right > frame.right || words.top < frame.top - 1 || words.bottom > frame.bottom + 1;
        }).map((text) => text.textContent);
      }));
      seen.colours = await svg.evaluate((node) => [...node.querySelectorAll('g[data-node] rect')].map((rect) => getComputedStyle(rect).fill).filter((fill, at, all) => all.indexOf(fill) === at).length);
      seen.overflow = await overflow(page);
      await page.goto(`${url}#/`);
      await page.click('#whole summary');
      await page.locator('#whole svg').waitFor();
      seen.whole = await page.locator('#whole g[data-node]').count();
      await picture(page, `graph-whole-${colorScheme}`);
    }
    return seen;
  },
  // The start page, the list in groups, and its search and keys.
  async start() {
    const page = await open();
    await page.locator('#catalog a').first().waitFor();
    const all = await names(page);
    const groups = await texts(page.locator('#catalog h2'));
    const kinds = await texts(page.locator('#kinds button'));
    const told = await page.locator('#main').innerText();
    // The commands work as they are typed.
    const typed = [];
    for (const text of await page.locator('#main pre').allTextContents()) typed.push(JSON.parse((await promisify(execFile)('sh', ['-c', text])).stdout));
    await picture(page, 'start');
    await page.click('#kind-pipeline');
    const pipelines = await names(page);
    await page.click('#kind-all');
    await page.keyboard.press('/');
    await page.keyboard.type('every kind');
    const found = await names(page);
    await page.keyboard.press('ArrowDown');
    const focused = await page.evaluate(() => document.activeElement.id);
    await page.keyboard.press('Enter');
    await page.locator('#form').waitFor();
    return { names: all, groups, kinds, told, pipelines, found, focused, typed: typed.map((value) => Array.isArray(value) ? 'list' : Object.keys(value)), address: page.url(), title: await page.title() };
  },
  // Each skill has a URL: Back and reload keep the position, and Back also keeps inputs.
  async addresses() {
    const page = await open();
    await page.click('#skill-double');
    await page.fill('#field-n', '7');
    await page.click('#skill-prose');
    await page.locator('h2', { hasText: 'prose' }).waitFor();
    await page.goBack();
    await page.locator('#form').waitFor();
    const kept = await page.inputValue('#field-n');
    await page.reload();
    await page.locator('#form').waitFor();
    const again = await page.locator('h2[tabindex]').innerText();
    const current = await page.locator('[aria-current]').evaluateAll((nodes) => nodes.map((node) => node.id));
    await page.goBack();
    await page.locator('dl.facts').waitFor();
    await page.goto(`${url}#/skills/none`);
    await page.locator('#main .bad').waitFor();
    const unknown = await page.locator('#main').innerText();
    await page.goto(`${url}#/skills/%E0%A4%A`);
    await page.locator('#main h2', { hasText: '%E0' }).waitFor();
    return { kept, again, current, unknown };
  },
  // A form with a field of every kind, with wrong and then right input.
  async form() {
    const page = await open({ timezoneId: 'Asia/Kolkata' });
    await page.click('#skill-form_of_all');
    await page.locator('#form').waitFor();
    const controls = await page.locator('#form :is(input, select, textarea, fieldset)[id]').evaluateAll((nodes) => nodes.map((node) => [node.id, node.type, node.value ?? null]));
    const needed = await page.locator('#form .field:has(.need) [id^=field]').evaluateAll((nodes) => nodes.map((node) => [node.id, node.getAttribute('aria-required')]));
    const said = await page.locator('#hint-count').innerText();
    await page.fill('#field-count', '11');
    for (let at = 0; at < 3; at++) await page.click('#add-field-list');
    await page.fill('#field-list-1', '1');
    await page.fill('#field-list-2', '1.5');
    // An entry has a value or is removed; the others are renumbered.
    await run(page);
    await page.locator('#wrong-list-0', { hasText: 'there is no value' }).waitFor();
    await page.click('#field-list >> text=✕ >> nth=0');
    const entries = await page.locator('#field-list .item').evaluateAll((nodes) => nodes.map((node) => [node.querySelector('label').textContent, node.lastChild.ariaLabel]));
    await page.click('#add-field-inner');
    await page.fill('#field-inner-code', 'x');
    await page.selectOption('#field-either-form', { label: 'array' });
    await page.fill('#field-either-of', '{"a": 1}');
    await run(page);
    await page.locator('.wrong:not([hidden])').first().waitFor();
    const broken = await wrong(page), invalid = await page.locator('[aria-invalid=true]').evaluateAll((nodes) => nodes.map((node) => node.id));
    const focused = await page.evaluate(() => document.activeElement.id), status = await page.locator('#status').innerText();
    await picture(page, 'violations');
    await page.fill('#field-either-of', '[1,');
    await run(page);
    await page.locator('#wrong-either-of', { hasText: 'JSON' }).waitFor();
    await page.selectOption('#field-either-form', '');
    await page.fill('#field-count', '3');
    await page.click('#field-list >> text=✕ >> nth=1');
    await page.fill('#field-text', '技能，テスト，기술');
    await page.selectOption('#field-color', { label: 'green' });
    await page.selectOption('#field-sure', 'true');
    await page.fill('#field-day', '2026-02-03');
    await page.fill('#field-at', '2026-02-03T04:05:06');
    await page.fill('#field-big', '12345678901234567890');
    await page.fill('#field-inner-code', 'ABC');
    // A line that is pasted with line feeds keeps them.
    await page.focus('#field-short');
    await page.evaluate(() => { const data = new DataTransfer(); data.setData('text', 'one\ntwo'); document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); });
    await page.click('#as-json');
    const asJson = JSON.parse(await page.inputValue('#field'));
    await page.click('#as-json');
    await run(page);
    await ended(page);
    const shown = await page.locator('#output pre').first().textContent();
    await page.locator('summary', { hasText: 'terminal' }).click();
    const shell = await page.locator('main details pre').filter({ hasText: 'curl' }).textContent();
    await picture(page, 'result');
    return { controls, needed, said, entries, broken, invalid, focused, status, asJson, shown, result: JSON.parse(shown), shell, left: (await wrong(page)).length, unnamed: await unnamed(page), overflow: await overflow(page) };
  },
  // Values without a form field are entered as JSON, and stay JSON.
  async json() {
    const page = await open();
    await page.click('#skill-form_of_all');
    await page.click('#as-json');
    await page.fill('#field', '{"text": "a", "count": 1, "unknown": [1.0], "when": {}}');
    await page.click('#as-json');
    const stays = await page.locator('#form .wrong:not([hidden])').innerText();
    await run(page);
    await ended(page);
    return { stays, shown: (await page.locator('#output pre').first().textContent()).replace(/\s/g, '') };
  },
  // Programs: one with a schema has a form, one without takes text; their output is folded.
  async program() {
    const page = await open();
    await page.click('#skill-typed');
    await page.fill('#field-a', '1.5');
    await run(page);
    await page.locator('#wrong-a:not([hidden])').waitFor();
    const broken = await wrong(page);
    await page.fill('#field-a', '5');
    await run(page);
    await page.locator('#status', { hasText: 'exit code' }).waitFor();
    const typed = [await page.locator('#status').innerText(), await output(page)];
    await page.click('#skill-echo');
    await page.fill('#field-input', 'said');
    await run(page);
    await page.locator('#status', { hasText: 'exit code' }).waitFor();
    const plain = [await page.locator('#status').innerText(), await page.locator('#output pre').innerText()];
    await page.click('#skill-slow');
    await run(page);
    await page.click('#form >> text=Stop');
    await ended(page);
    await picture(page, 'program');
    return { broken, typed, plain, stopped: await page.locator('#status').innerText() };
  },
  // A pipeline is shown step by step. If it fails, the failed step is shown.
  async pipeline() {
    const page = await open();
    await page.click('#skill-paced');
    await run(page);
    await page.locator('.steps .running', { hasText: 'second' }).waitFor();
    const during = await steps(page);
    await picture(page, 'pipeline');
    await page.evaluate(() => fetch('/v1/skills/release/exec', { method: 'POST' }));
    await ended(page);
    const after = await steps(page), markdown = await page.locator('#output .md').innerHTML(), isFolded = !await page.locator('#output details').evaluate((node) => node.open);
    await picture(page, 'pipeline-end');
    await page.click('#skill-breaks');
    await run(page);
    await ended(page);
    await picture(page, 'pipeline-failed');
    return { during, after, markdown, isFolded, failed: await steps(page), told: await page.locator('#status').innerText() };
  },
  // A skill that cannot run here shows the reason, and has no form.
  async missing() {
    const page = await open(), seen = {};
    for (const name of ['review', 'reviews', 'unserved', 'prose', 'helper', 'lost', 'double']) {
      await page.click(`#skill-${name}`);
      await page.locator('#main h2[tabindex]', { hasText: new RegExp(`^${name}$`) }).waitFor();
      seen[name] = [await page.locator('#form').count(), await page.locator('#missing').innerText().catch(() => null)];
    }
    return { seen };
  },
  // Texts that try to inject markup or scripts.
  async hostile() {
    const page = await open();
    await page.locator('#catalog a').first().waitFor();
    await page.click('#skill-hostile');
    await page.locator('#form').waitFor();
    await page.locator('summary', { hasText: 'Instructions' }).click();
    await run(page);
    await ended(page);
    await page.locator('#output details summary').first().click();
    await picture(page, 'hostile');
    const found = await page.evaluate(() => ({
      elements: [...document.querySelectorAll('body *')].filter((node) => /^(SCRIPT|IMG|IFRAME|OBJECT|EMBED|SVG|STYLE|LINK|META|BASE|FORM)$/i.test(node.tagName) && node.id !== 'form' && !(node.tagName === 'SCRIPT' && node.parentNode === document.body && node.textContent.startsWith('\n"use strict"'))).map((node) => node.outerHTML),
      handlers: [...document.querySelectorAll('*')].flatMap((node) => [...node.attributes].filter(({ name }) => name.startsWith('on') || name === 'srcdoc').map(({ name }) => name)),
      links: [...document.querySelectorAll('main a')].map((node) => node.getAttribute('href')),
      pwned: window.pwned ?? null,
    }));
    const text = await page.locator('#main').textContent();
    // Long texts that are designed to be slow to parse.
    const slowest = await page.evaluate(() => {
      const hard = ['*', '`', '[', '[a](', '**a', '_a_', '> ', '- ', '|', '~~', '![', '\\', '<', '``` ', '# ', '    ', '[a][', '*a **b ', '(http://', '1. ', '- - ', '`` ` ', '[[a]'];
      let worst = 0, which = '';
      for (const piece of hard) for (const text of [piece.repeat(40_000), `${piece}\n`.repeat(4_000), `x${' '.repeat(40_000)}${piece}`]) { const began = performance.now(); markdown(text); const took = performance.now() - began; if (took > worst) { worst = took; which = piece; } }
      return [which, Math.round(worst)];
    });
    return { ...found, text, slowest };
  },
  // The rendering of Markdown.
  async markdown() {
    const page = await open();
    const cases = [
      ['# A *b*\n\ntext\nmore', '<h3>A <em>b</em></h3><p>text\nmore</p>'],
      ['A\n=\n\nB\n---\nc', '<h3>A</h3><h4>B</h4><p>c</p>'],
      ['## C ##\n#no', '<h4>C</h4><p>#no</p>'],
      ['**a _b_** `c*d*` ~~e~~ ***f***', '<p><strong>a <em>b</em></strong> <code>c*d*</code> <s>e</s> <strong><em>f</em></strong></p>'],
      ['snake_case_name 2 * 3 * 4 **open', '<p>snake_case_name 2 * 3 * 4 **open</p>'],
      ['\\*a\\* &amp; <b>', '<p>*a* &amp;amp; &lt;b&gt;</p>'],
      ['- a\n- b\n  - c\n\n1. d\n2. e', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol start="1"><li>d</li><li>e</li></ol>'],
      ['- a\n\n  more\n- b', '<ul><li><p>a</p><p>more</p></li><li>b</li></ul>'],
      ['- [ ] a\n- [x] b', '<ul><li>☐ a</li><li>☑ b</li></ul>'],
      ['> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
      ['```rust\nlet a = "<b>";\n\n# no\n```\nend', '<pre tabindex="0"><code>let a = "&lt;b&gt;";\n\n# no</code></pre><p>end</p>'],
      ['~~~\nopen', '<pre tabindex="0"><code>open</code></pre>'],
      ['| a | b |\n|---|:-:|\n| 1 | x \\| `y` |', '<div class="scroll"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>x | <code>y</code></td></tr></tbody></table></div>'],
      ['a  \nb\\\nc\n\n---', '<p>a<br>b<br>c</p><hr>'],
      ['[a](https://x.y/z_(1) "t") <mailto:a@b.c>', '<p><a href="https://x.y/z_(1)" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">a</a> <a href="mailto:a@b.c" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">a@b.c</a></p>'],
      ['[a](notes.md) [b](javascript:alert(1)) ![c](data:x)', '<p><span title="notes.md">a</span> <span title="javascript:alert(1)">b</span> <span title="data:x">🖼 c</span></p>'],
      ['(see https://x.y/z).', '<p>(see <a href="https://x.y/z" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">https://x.y/z</a>).</p>'],
      ['你好，**世界**。', '<p>你好，<strong>世界</strong>。</p>'],
      ['a\r\n\r\nb', '<p>a</p><p>b</p>'],
      ['', ''],
    ];
    const got = await page.evaluate((all) => all.map(([text]) => markdown(text).innerHTML), cases);
    return { wrong: cases.map(([text, html], at) => ({ text, html, got: got[at] })).filter(({ html, got }) => html !== got) };
  },
  // Long names, dark, and a narrow window.
  async look() {
    const page = await open({ colorScheme: 'dark' });
    await page.click('#catalog a[title^=z]');
    await page.locator('#main h2', { hasText: 'zvery' }).waitFor();
    const long = await page.locator('#main h2').innerText();
    await picture(page, 'dark');
    const wide = await overflow(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'narrow');
    const narrow = [await overflow(page), await page.locator('nav').isVisible()];
    await page.goto(`${url}#/skills/form_of_all`);
    await page.locator('#form').waitFor();
    await page.click('#add-field-inner');
    await picture(page, 'narrow-form');
    narrow.push(await overflow(page));
    await page.click('h1 a');
    await page.locator('dl.facts').waitFor();
    await picture(page, 'narrow-start');
    narrow.push(await overflow(page), await page.locator('nav').isVisible());
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    return { long, wide, narrow, background };
  },
  // A chat with tools that answer and fail, a failure of the model, and a stop.
  async chat() {
    const page = await open();
    await page.click('#open-chat');
    const say = async (text) => { await page.fill('#say', text); await page.press('#say', 'Enter'); };
    await say('double 4');
    await page.locator('.said', { hasText: 'It is done.' }).waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    const folded = await texts(page.locator('.said'));
    await page.click('.tool summary >> nth=0');
    await page.click('.tool summary >> nth=1');
    const tools = await texts(page.locator('.tool')), shown = await page.locator('.said .md').last().innerHTML();
    await picture(page, 'chat');
    await say('fail');
    await page.locator('.said .bad', { hasText: 'the model failed' }).waitFor();
    await say('be silent');
    await page.click('#stop');
    await page.locator('.said .bad', { hasText: 'stopped' }).waitFor();
    await say('and again');
    await page.locator('.said', { hasText: 'Still here.' }).waitFor();
    const isAtEnd = await page.locator('.said').last().evaluate((node) => node.getBoundingClientRect().bottom <= innerHeight);
    await picture(page, 'chat-end');
    // The chat is still there after opening a skill.
    await page.click('#skill-prose');
    await page.click('#open-chat');
    const kept = await page.locator('.said').count(), open_ = await page.locator('.tool details[open]').count();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    await page.click('#clear');
    return { folded, tools, shown, isAtEnd, kept, open: open_, cleared: await page.locator('.said').count(), unnamed: await unnamed(page), overflow: await overflow(page) };
  },
  // Forms of several kinds, maps, lists of objects, titles, formats and hints in Markdown; mistakes are marked as one types.
  async shapes() {
    const page = await open();
    await page.click('#skill-shapes');
    await page.locator('#form').waitFor();
    const labels = await texts(page.locator('#form > div > fieldset > div > * > :is(label, legend)'));
    const hint = await page.locator('#hint-mail').innerHTML(), kinds = await page.locator('#form input').evaluateAll((nodes) => Object.fromEntries(nodes.map((node) => [node.id, node.type])));
    await page.fill('#field-mail', 'no address');
    await page.locator('#wrong-mail:not([hidden])').waitFor();
    const live = await wrong(page);
    await page.fill('#field-mail', 'a@b.example');
    await page.locator('#wrong-mail').waitFor({ state: 'hidden' });
    await page.fill('#field-secret', 'hush');
    await page.fill('#field-page', 'https://x.example/');
    await page.selectOption('#field-shape-form', { label: 'Circle' });
    await page.fill('#field-shape-of-radius', '2');
    await page.selectOption('#field-shape-form', { label: 'square' });
    await page.fill('#field-shape-of-side', '-3');
    await page.locator('#wrong-shape-of-side:not([hidden])').waitFor();
    const inner = await wrong(page);
    await page.fill('#field-shape-of-side', '3');
    await page.click('#add-field-prices');
    await page.fill('#field-prices .pair > input', 'apple');
    await page.fill('#field-prices-0', '1.5');
    await page.click('#add-field-people');
    await page.fill('#field-people-0-name', 'Ann');
    await page.click('#add-field-people');
    await page.fill('#field-people-1-name', 'Bob');
    await picture(page, 'shapes');
    await page.click('#as-json');
    const value = JSON.parse(await page.inputValue('#field'));
    await page.click('#as-json');
    const chosen = await page.locator('#field-shape-form').evaluate((node) => node.selectedOptions[0].textContent);
    await run(page);
    await ended(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'shapes-narrow');
    return { labels, hint, kinds, live, inner, value, chosen, status: await page.locator('#status').getAttribute('class'), overflow: await overflow(page), unnamed: await unnamed(page) };
  },
  // Files open in the page, relative links lead to them, and the list scrolls to the chosen skill.
  async files() {
    const page = await open({ viewport: { width: 1100, height: 400 } });
    await page.goto(`${url}#/skills/zz_paged`);
    await page.locator('#catalog a[aria-current]').waitFor();
    const source = await page.locator('.tag', { hasText: 'from ' }).innerText();
    const inView = await page.waitForFunction(() => { const { top, bottom } = document.querySelector('#skill-zz_paged').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }).then(() => true, () => false);
    await page.locator('.md a', { hasText: 'the notes' }).click();
    await page.locator('#main h2', { hasText: 'docs/notes.md' }).waitFor();
    const notes = await page.locator('#main .md').innerText(), address = new URL(page.url()).hash;
    await page.locator('.md a', { hasText: 'data' }).click();
    await page.locator('#main h2', { hasText: 'docs/my data.json' }).waitFor();
    const data = await page.locator('#main pre').innerText();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#main a', { hasText: 'Save' }).click()]);
    const bytes = (await readFile(await saved.path())).length;
    await page.goBack();
    await page.locator('.md a', { hasText: 'back' }).click();
    await page.locator('summary', { hasText: 'Files' }).click();
    const files = await texts(page.locator('.files a')), dead = await page.locator('.md span[title]').evaluateAll((nodes) => nodes.map((node) => node.title));
    await page.locator('.files a', { hasText: 'raw.bin' }).click();
    await page.locator('#main', { hasText: 'not text' }).waitFor();
    await page.goto(`${url}#/skills/zz_paged/files/none`);
    await page.locator('#main .bad').waitFor();
    return { source, inView, notes, address, data, bytes, name: saved.suggestedFilename(), files, dead, missing: await page.locator('#main .bad').innerText() };
  },
  // A picture is zoomed by buttons, keys and the wheel, moved by the mouse, and fits a narrow window.
  async zoom() {
    const page = await open(), seen = {};
    await page.click('#skill-thirty');
    const svg = page.locator('.picture svg'), view = page.locator('.picture');
    await svg.waitFor();
    const width = () => svg.evaluate((node) => Math.round(node.getBoundingClientRect().width));
    const place = () => view.evaluate((node) => [node.scrollLeft, node.scrollTop]);
    seen.start = await width();
    await page.click('[aria-label="Zoom in"]');
    await page.click('[aria-label="Zoom in"]');
    seen.wider = await width();
    const room = () => view.evaluate((node) => Math.min(node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight));
    for (let more = 0; more < 8 && await room() < 200; more++) await page.click('[aria-label="Zoom in"]');
    const large = await width();
    await view.scrollIntoViewIfNeeded();
    const box = await view.boundingBox(), before = await place();
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 140, box.y + 150);
    await page.mouse.up();
    seen.moved = (await place()).map((at, axis) => at - before[axis]);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 300);
    await page.keyboard.up('Control');
    await page.waitForFunction((wide) => document.querySelector('.picture svg').getBoundingClientRect().width < wide, large);
    await view.focus();
    await page.keyboard.press('0');
    seen.original = await width();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.click('text=Fit');
    const inside = await view.evaluate((node) => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight);
    await picture(page, 'zoom-narrow');
    return { ...seen, inside, fit: await width(), overflow: await overflow(page) };
  },
  // The chat names its model, survives a reload, and keeps its input in view; problems keep their lines and can be copied.
  async reload() {
    const page = await open({ viewport: { width: 1100, height: 500 }, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#open-chat');
    const say = async (text) => { await page.fill('#say', text); await page.press('#say', 'Enter'); };
    await say('long');
    await page.locator('.said', { hasText: 'line 99' }).waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    const model = [await page.locator('#model').innerText(), await page.locator('.said.assistant > b').first().innerText()];
    await page.locator('#main').evaluate((node) => { node.scrollTop = 0; });
    const inView = await page.locator('#say').evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });
    await page.reload();
    await page.locator('.said', { hasText: 'line 99' }).waitFor();
    const kept = await page.locator('.said').count(), name = await page.locator('.said.assistant > b').first().innerText();
    await say('fail');
    await page.locator('.said .bad', { hasText: 'the model failed' }).waitFor();
    await page.locator('.said .copy').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.locator('#stop').waitFor({ state: 'hidden' });
    await page.click('#clear');
    await page.reload();
    await page.locator('#chat').waitFor();
    const cleared = await page.locator('.said').count();
    await page.click('#skill-fails');
    await run(page);
    await ended(page);
    const told = await page.locator('#status').innerText(), advice = await page.locator('#output').innerText();
    await page.locator('#output .copy').click();
    return { model, inView, kept, name, copied, cleared, told, advice, output: await page.evaluate(() => navigator.clipboard.readText()) };
  },
  // Nothing is written to the console while pages load, and axe finds no violation in any of them, light or dark, wide or narrow.
  async axe() {
    const said = [], violations = [];
    let states = 0;
    for (const colorScheme of ['light', 'dark']) for (const width of [1440, 390]) {
      const page = await open({ colorScheme, viewport: { width, height: 844 } });
      page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) said.push(message.text()); });
      const look = async (name) => {
        states++;
        violations.push(...await judge(page, `${name} ${colorScheme} ${width}`));
      };
      for (const [address, ready] of [['#/', 'dl.facts'], ['#/chat', '#chat'], ['#/skills/shapes', '#form'], ['#/skills/paced', '.picture svg'], ['#/skills/zz_paged', '.md'], ['#/skills/zz_paged/files/docs/notes.md', '.md']]) {
        await page.goto(`${url}${address}`);
        await page.reload();
        await page.locator(ready).first().waitFor();
        await look(address);
      }
      await page.goto(`${url}#/`);
      await page.click('#whole summary');
      await page.locator('#whole svg').waitFor();
      await look('whole');
      await page.goto(`${url}#/skills/shapes`);
      await page.fill('#field-mail', 'x');
      await page.selectOption('#field-shape-form', { label: 'Circle' });
      await page.click('#add-field-prices');
      await page.click('#add-field-people');
      await page.locator('#wrong-mail:not([hidden])').waitFor();
      await look('filled');
    }
    return { states, violations, said };
  },
  // The page of an evaluation, which is a file: axe finds no violation, light or dark, wide or narrow, and nothing is cut off.
  async report() {
    const violations = [], wide = [];
    let states = 0;
    for (const colorScheme of ['light', 'dark']) for (const width of [1280, 390]) {
      const page = await open({ colorScheme, viewport: { width, height: 844 } });
      await page.locator('h1').waitFor();
      await page.locator('details').evaluateAll((nodes) => nodes.forEach((node) => { node.open = true; }));
      states++;
      violations.push(...await judge(page, `${colorScheme} ${width}`));
      wide.push(await overflow(page));
    }
    return { states, violations, wide };
  },
  // The same page with running disabled and without a model.
  async refused() {
    const page = await open();
    await page.locator('dl.facts').waitFor();
    const told = await page.locator('dl.facts').innerText();
    await page.click('#skill-echo');
    const exec = await page.locator('#missing').innerText(), forms = await page.locator('#form').count();
    await page.click('#open-chat');
    await page.locator('h2', { hasText: 'Chat' }).waitFor();
    const chat = await page.locator('#missing').innerText();
    await picture(page, 'refused');
    return { told, exec, forms, chat };
  },
  async token() {
    const page = await open();
    await page.locator('#main .bad').waitFor();
    const without = await page.locator('#main .bad').innerText();
    const other = await browser.newContext();
    const with_ = await other.newPage();
    await with_.goto(`${url}#token=s3cret`);
    await with_.locator('#catalog a').first().waitFor();
    return { without, address: with_.url(), found: await with_.locator('#catalog a').count(), shell: await with_.locator('#main pre').first().textContent() };
  },
};

try {
  console.log(JSON.stringify({ ...(await scenes[scene]()), problems }));
} finally {
  await browser.close();
}
