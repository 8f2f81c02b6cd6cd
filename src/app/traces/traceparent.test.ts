import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTraceParent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`00-${TRACE}-${SPAN}-fe`, false],
  [`cc-${TRACE}-${SPAN}-01`, true],
  [`cc-${TRACE}-${SPAN}-01-what.the.future.holds`, true],
])('%s has a parent', (header, isSampled) => {
  expect(findTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled })
})

test.each([
  undefined,
  '',
  '00',
  [`00-${TRACE}-${SPAN}-01`],
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01 `,
  ` 00-${TRACE}-${SPAN}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-0g`,
  `00_${TRACE}_${SPAN}_01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01.what`,
  `cc-${TRACE}-${SPAN}-01-${'x'.repeat(16_000)}`,
])('%s has none', (header) => {
  expect(findTraceParent(header)).toBeUndefined()
})

test('whatever is sent, an id is hex digits that are not all zero', () => {
  const near = fc
    .tuple(fc.constantFrom('00', 'ff', 'cc', '0'), hexOf(30, 34), hexOf(14, 18), hexOf(0, 4), fc.string())
    .map(([version, trace, span, flags, more]) => `${version}-${trace}-${span}-${flags}${more}`)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), near), (header) => {
      const found = findTraceParent(header)
      if (!found) return
      expect(found.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/)
      expect(found.spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/)
    }),
    { numRuns: 3_000 },
  )
})

const hexOf = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdefA'), { minLength, maxLength }).map((digits) => digits.join(''))
