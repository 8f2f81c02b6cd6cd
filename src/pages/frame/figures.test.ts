import { expect, test, vi } from 'vitest'
import { momentHtml, numberText, percentText, spanText } from './figures.ts'
import { sentence } from './sentence.ts'

test.each([
  [1, '100 %'],
  [0.9999, '99.99 %'],
  [0.99999, '99.99 %'],
  [0.9998, '99.98 %'],
  [0.29, '29 %'],
  [0, '0 %'],
])('%d is %s', (fraction, text) => expect(percentText(fraction)).toBe(text))

test.each([
  [0.08, '0.1 ms'],
  [120.4, '120 ms'],
  [1_550, '1.5 s'],
  [42_000, '42 s'],
  [60_000, '1 min'],
  [192 * 60_000, '3 h 12 min'],
  [86_400_000, '1 d'],
  [400.5 * 86_400_000, '400 d 12 h'],
])('%d ms are %s', (ms, text) => expect(spanText(ms)).toBe(text))

test('a moment is told in UTC and for programs', () => {
  const iso = '2026-01-05T12:34:56.000Z'
  expect(momentHtml(iso).markup).toBe(`<time datetime="${iso}" data-local>2026-01-05 12:34 UTC</time>`)
})

test.each([
  ['no tick', 'No tick.'],
  ['cut off…', 'Cut off…'],
  ['', ''],
])('%j as a sentence is %j', (text, told) => expect(sentence(text)).toBe(told))

test('a number is written without making a format for it', () => {
  const made = vi.spyOn(Number.prototype, 'toLocaleString')
  expect([numberText(1_234.567), numberText(1_234.567, 2), numberText(5)]).toEqual(['1,235', '1,234.57', '5'])
  expect(made).not.toHaveBeenCalled()
  made.mockRestore()
})
