import { expect, test } from 'vitest'
import { isBrowser } from './is-browser.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const PAGE = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each([
  ['a browser that opens a page', PAGE, CHROME, true],
  ['the page asking for its data', 'application/json', CHROME, false],
  ['a fetch with the default Accept', '*/*', CHROME, false],
  ['curl', '*/*', 'curl/8.5.0', false],
  ['a program that takes HTML', PAGE, 'python-httpx/0.28', false],
  ['no User-Agent', PAGE, undefined, false],
  ['no Accept', undefined, CHROME, false],
])('%s', (_name, accept, userAgent, expected) => {
  expect(isBrowser(accept, userAgent)).toBe(expected)
})
