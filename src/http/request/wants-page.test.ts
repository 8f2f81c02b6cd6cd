import { expect, test } from 'vitest'
import { wantsPage } from './wants-page.ts'

test.each([
  ['a browser that opens a page', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['a program that wants a page', 'text/html', true],
  ['a page that asks for its data', 'application/json', false],
  ['axios', 'application/json, text/plain, */*', false],
  ['curl, fetch and Python', '*/*', false],
  ['HttpURLConnection of Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
  ['a caller that takes both and prefers JSON', 'text/html;q=0.5, application/json', false],
  ['a caller that names JSON first', 'application/json, text/html', false],
  ['a caller that wants Markdown', 'text/markdown', false],
  ['a caller that refuses pages', 'text/html;q=0', false],
  ['no Accept', undefined, false],
])('%s', (_name, accept, expected) => {
  expect(wantsPage({ accept })).toBe(expected)
})

test.each(['payment-signature', 'x-payment'])('a program that sends %s', (name) => {
  expect(wantsPage({ accept: 'text/html', [name]: 'e30=' })).toBe(false)
})
