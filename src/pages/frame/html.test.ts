import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dataBlock, html, trusted } from './html.ts'

test('values are escaped for text and for quoted attributes', () => {
  const value = `<b a="1" c='2'>&`
  expect(html`<i title="${value}">${value}</i>`.markup).toBe(
    '<i title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;">&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;</i>',
  )
})

test('nested templates and lists are not escaped twice, and what is absent vanishes', () => {
  const items = ['<1>', '2'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}${false}${undefined}${7}</ul>`.markup).toBe(
    '<ul><li>&lt;1&gt;</li><li>2</li>7</ul>',
  )
  expect(html`${trusted('<br>')}`.markup).toBe('<br>')
})

test('no text breaks out of a data block, and its JSON stays the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('</script>', '<!--<script>', ']]>', '\u2028')),
      (text) => {
        const { markup } = dataBlock('x', JSON.stringify({ text }))
        const inside = markup.slice('<script type="application/json" id="x">'.length, -'</script>'.length)
        expect(inside).not.toContain('<')
        expect(JSON.parse(inside)).toEqual({ text })
      },
    ),
  )
})
