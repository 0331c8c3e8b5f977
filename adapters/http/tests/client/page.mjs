// The page in a browser: prints as JSON what a person would see, and leaves pictures (adapters/http/tests/page.rs runs it).
//
//   node page.mjs BROWSER URL PICTURES SCENE
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
// What sticks out of the window sideways.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const texts = (locator) => locator.allInnerTexts();

const scenes = {
  // The list, a skill, its form with wrong and then right input.
  async form() {
    const page = await open();
    await page.locator('#catalog button').first().waitFor();
    const names = await texts(page.locator('#catalog button b'));
    await picture(page, 'list');
    await page.fill('#search', 'every kind');
    const found = await texts(page.locator('#catalog button b'));
    await page.fill('#search', '');
    await page.click('#skill-form_of_all');
    await page.fill('#field-count', '11');
    await page.fill('#field-list', '[1, "x"]');
    await page.click('#form .go');
    await page.locator('.wrong:not([hidden])').first().waitFor();
    const wrong = await page.locator('.wrong:not([hidden])').evaluateAll((nodes) => nodes.map((node) => [node.id, node.innerText]));
    const invalid = await page.locator('[aria-invalid=true]').evaluateAll((nodes) => nodes.map((node) => node.id));
    await picture(page, 'violations');
    await page.fill('#field-list', '[1,');
    await page.click('#form .go');
    await page.locator('#wrong-list', { hasText: 'JSON' }).waitFor();
    await page.fill('#field-count', '3');
    await page.fill('#field-list', '[1, 2]');
    await page.fill('#field-text', '技能，テスト，기술');
    await page.selectOption('#field-color', { label: 'green' });
    await page.check('#field-sure');
    await page.click('#form .go');
    await page.locator('#result', { hasText: '技能' }).waitFor();
    const result = await page.locator('#result').innerText();
    const left = await page.locator('.wrong:not([hidden])').count();
    await picture(page, 'result');
    return { names, found, wrong, invalid, result, left, overflow: await overflow(page) };
  },
  // Long names, prose, a program, dark, and a narrow window.
  async look() {
    const page = await open({ colorScheme: 'dark' });
    await page.click('#catalog button >> nth=-1');
    await page.locator('h2').waitFor();
    const long = await page.locator('h2').innerText();
    await picture(page, 'dark');
    const wide = await overflow(page);
    await page.click('#skill-echo');
    await page.fill('#field-input', 'said');
    await page.click('#form .go');
    await page.locator('#result', { hasText: 'exit_code' }).waitFor();
    const ran = await page.locator('#result').innerText();
    await picture(page, 'program');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.click('#catalog button >> nth=-1');
    await picture(page, 'narrow');
    const narrow = await overflow(page);
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    return { long, wide, narrow, ran, background };
  },
  // A chat with tools that answer and fail, a failure of the model, and a stop.
  async chat() {
    const page = await open();
    await page.click('#open-chat');
    const say = async (text) => { await page.fill('#say', text); await page.press('#say', 'Enter'); };
    await say('double 4');
    await page.locator('.said', { hasText: 'It is done.' }).waitFor();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    const said = await texts(page.locator('.said'));
    await picture(page, 'chat');
    await say('fail');
    await page.locator('.said .bad', { hasText: 'overloaded' }).waitFor();
    await say('be silent');
    await page.click('#stop');
    await page.locator('.said .bad', { hasText: 'stopped' }).waitFor();
    await say('and again');
    await page.locator('.said', { hasText: 'Still here.' }).waitFor();
    await picture(page, 'chat-end');
    return { said, overflow: await overflow(page) };
  },
  // The same page without leave to run anything, without a model, and with a token.
  async refused() {
    const page = await open();
    await page.click('#skill-echo');
    await page.click('#form .go');
    await page.locator('#result.bad').waitFor();
    const exec = await page.locator('#result').innerText();
    await page.click('#open-chat');
    await page.fill('#say', 'hello');
    await page.press('#say', 'Enter');
    await page.locator('.said .bad').waitFor();
    const chat = await page.locator('.said .bad').innerText();
    await picture(page, 'refused');
    return { exec, chat };
  },
  async token() {
    const page = await open();
    await page.locator('#main .bad').waitFor();
    const without = await page.locator('#main').innerText();
    const other = await browser.newContext();
    const with_ = await other.newPage();
    await with_.goto(`${url}#token=s3cret`);
    await with_.locator('#catalog button').first().waitFor();
    return { without, address: with_.url(), found: await with_.locator('#catalog button').count() };
  },
};

try {
  console.log(JSON.stringify({ ...(await scenes[scene]()), problems }));
} finally {
  await browser.close();
}
