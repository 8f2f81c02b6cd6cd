import { expect, test } from 'vitest'
import { findAccepted } from './accepted.ts'

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'
const HTML = 'text/html'
const OFFERED = [JSON_TYPE, MARKDOWN, HTML]
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'

test.each([
  ['nothing sent', undefined, undefined],
  ['curl', '*/*', undefined],
  ['empty', '', undefined],
  ['a browser', CHROME, HTML],
  ['a coding agent', 'text/markdown, text/html, */*', MARKDOWN],
  [
    'another coding agent',
    'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, */*;q=0.1',
    MARKDOWN,
  ],
  ['markdown alone', 'text/markdown', MARKDOWN],
  ['any case', 'TEXT/Markdown', MARKDOWN],
  ['a parameter of the type', 'text/markdown; charset=utf-8; variant=GFM', MARKDOWN],
  ['the heavier of two', 'text/html;q=0.4, text/markdown;q=0.5', MARKDOWN],
  ['the earlier of two', 'text/html, text/markdown', HTML],
  ['named before a wildcard', '*/*, text/markdown', MARKDOWN],
  ['a wildcard that weighs more', 'text/markdown;q=0.5, */*', JSON_TYPE],
  ['a kind', 'text/*', MARKDOWN],
  ['a kind without one of it', 'text/*, text/markdown;q=0', HTML],
  ['a kind before everything', '*/*, text/*', MARKDOWN],
  ['everything but the default', '*/*, application/json;q=0', MARKDOWN],
  ['one star', '*; q=.2', JSON_TYPE],
  ['weights below one thousandth', 'text/html;q=0.0001, text/markdown;q=0.0002', MARKDOWN],
  ['the same twice', 'text/markdown;q=0.1, text/html;q=0.5, text/markdown', MARKDOWN],
  ['repeated headers, joined', 'text/html;q=0.1, */*;q=0.1, text/markdown;q=0.9', MARKDOWN],
  ['refused', 'text/markdown;q=0', undefined],
  ['refused altogether', '*/*;q=0', undefined],
  ['nothing that we have', 'image/png', undefined],
  ['no weight', 'text/markdown;q=', undefined],
  ['a word for a weight', 'text/markdown;q=high, text/html;q=0.1', HTML],
  ['too much weight', 'text/markdown;q=7', undefined],
  ['a weight below zero', 'text/markdown;q=-1', undefined],
  ['weight without end', 'text/markdown;q=Infinity', undefined],
  ['rubbish', ',;q=,=;/,,text/,/markdown', undefined],
  ['a comma in quotes', 'text/x;a=", text/markdown"', undefined],
  ['a name of the prototype', '__proto__, constructor/*', undefined],
])('%s', (_, accept, wanted) => {
  expect(findAccepted(OFFERED, accept)).toBe(wanted)
})

test('of a header without end only the beginning is read', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `a/${at};q=0.1`).join()
  expect(findAccepted(OFFERED, `text/markdown,${many}`)).toBe(MARKDOWN)
  expect(findAccepted(OFFERED, `${many},text/markdown`)).toBeUndefined()
})
