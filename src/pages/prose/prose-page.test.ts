import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noticeOf } from '../../discovery/about.ts'
import { pagesOf } from '../../discovery/markdown/pages.ts'
import { harbourGroup, testSite } from '../../testing/discovery/sample-site.ts'
import { type Served, serveGroup } from '../../testing/http/serve-groups.ts'
import { proseHtml } from './prose-html.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const site = testSite()
const pages = pagesOf(site)

let served: Served
beforeAll(async () => {
  served = await serveGroup(harbourGroup, {})
})
afterAll(() => served.close())

const show = async (path: string) => {
  const { body, ...reply } = await served.ask('GET', path, BROWSER)
  return { ...reply, markup: Buffer.from(body, 'latin1').toString() }
}

describe.each(pages)('$path in a browser', ({ path, markdownAt, description }) => {
  test('is a page that says what it is, and runs nothing that is written into it', async () => {
    const { status, headers, markup } = await show(path)
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept, Accept-Encoding',
    ])
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';/)
    expect(markup).toContain(`<link rel="canonical" href="${site.baseUrl}${path}">`)
    expect(markup).toContain(`<link rel="alternate" type="text/markdown" href="${markdownAt}">`)
    expect(markup).toContain('<html lang="en"')
    expect(markup.match(/<h1[ >]/g)).toHaveLength(1)
    expect(markup.split(noticeOf(site))).toHaveLength(2)
    expect(markup).not.toMatch(
      / style=| on\w+=|<style|<script(?! type="(application\/ld\+json|module" src="\/assets\/[\w/-]+\.js\?v=))/,
    )
    const about = JSON.parse(
      /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(markup)?.[1] ?? '',
    )
    expect(about).toMatchObject({ description, '@context': 'https://schema.org' })
    const known = { ...BROWSER, 'if-none-match': headers.etag ?? '' }
    expect((await served.ask('GET', path, known)).status).toBe(304)
  })

  test('leads to pages on this host, and to headings that are there', async () => {
    const { markup } = await show(path)
    const links = [...markup.matchAll(/<a (?:class="\w+" )?href="([^"]*)"/g)].map(([, href = '']) => href)
    expect(links.filter((href) => href.startsWith(site.baseUrl))).toEqual([])
    expect(markup).not.toMatch(/<a [^>]*>https:\/\/harbour\.test/)
    const twins = new Set<string>(pages.map((page) => page.markdownAt))
    expect(links.filter((href) => twins.has(href) && href !== markdownAt)).toEqual([])
    const anchored = links.filter((href) => href.includes('#') && href !== '#main')
    const dead = await Promise.all(
      anchored.map(async (href) => ((await hasAnchor(href, path)) ? [] : [href])),
    )
    expect(dead.flat()).toEqual([])
  })
})

async function hasAnchor(href: string, here: string): Promise<boolean> {
  const [path = '', anchor] = href.split('#')
  return (await show(path === '' ? here : path)).markup.includes(`id="${anchor}"`)
}

describe('Markdown', () => {
  const asIs = (address: string) => address
  test('cannot bring markup of its own, nor break out of an attribute', () => {
    const { markup } = proseHtml(
      '# A <b>"x"</b>\n\n<script>1</script> [y](a"b) `<i>`\n\n```"><x\n<u>\n```\n',
      asIs,
    )
    expect(markup).not.toMatch(/<(script|b|i|u|x)\b/)
    expect(markup).toContain('&lt;script&gt;')
    expect(markup).not.toMatch(/href="[^"]*"b/)
  })

  test('of a table scrolls by itself, by keys too, and says what its columns are', () => {
    const { markup } = proseHtml('| a | b |\n|---|---|\n| 1 | `2` |\n', asIs)
    expect(markup).toMatch(/^<div class="scroll" tabindex="0"/)
    expect(markup).toContain('<th scope="col">a</th>')
    expect(markup).toContain('<td><code>2</code></td>')
  })
})
