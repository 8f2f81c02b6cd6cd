import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harbourGroup, rendered, testSite } from '../../testing/discovery/sample-site.ts'
import { type Served, serveGroup } from '../../testing/http/serve-groups.ts'
import { pagesOf } from './pages.ts'

let served: Served
beforeAll(async () => {
  served = await serveGroup(harbourGroup, {})
})
afterAll(() => served.close())

const site = testSite()
const pages = pagesOf(site)
const MARKDOWN = { accept: 'text/markdown' }
const textOf = ({ body }: { body: string }) => Buffer.from(body, 'latin1').toString()
const ask = (path: string, headers: Record<string, string> = {}) => served.ask('GET', path, headers)

test('there are pages to read', () => {
  expect(pages.length).toBeGreaterThan(15)
})

describe.each(pages)('$path', ({ path, markdownAt, description }) => {
  test('is the same Markdown by Accept and at its own address', async () => {
    const asked = await ask(path, MARKDOWN)
    const own = await ask(markdownAt)
    expect([asked.status, own.status, own.body === asked.body]).toEqual([200, 200, true])
    for (const { headers } of [asked, own]) {
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(headers.link).toBe(`<${site.baseUrl}${path}>; rel="canonical"`)
      expect(headers.etag).toBe(own.headers.etag)
    }
    expect(asked.headers.vary).toMatch(/^Accept(,|$)/)
    const known = { 'if-none-match': own.headers.etag ?? '' }
    expect((await ask(markdownAt, known)).status).toBe(304)
  })

  test('keeps its default for everybody else, and says where its Markdown is', async () => {
    const [plain, curl] = await Promise.all([ask(path), ask(path, { accept: '*/*' })])
    expect(curl.body).toBe(plain.body)
    expect(plain.headers.vary).toMatch(/^Accept(,|$)/)
    if (plain.headers['content-type']?.startsWith('application/json'))
      expect(plain.headers.link).toBe(`<${site.baseUrl}${markdownAt}>; rel="alternate"; type="text/markdown"`)
    else expect(plain.headers['content-type']).toBe('text/html; charset=utf-8')
  })

  test('says what it is before, where to go after, and every piece of code in what language', async () => {
    const text = textOf(await ask(markdownAt))
    const [, head = ''] = /^---\n([\s\S]+?)\n---\n\n# \S/.exec(text) ?? []
    const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)))
    expect(Object.keys(fields)).toEqual(['title', 'description', 'canonical_url', 'last_updated'])
    expect(JSON.parse(fields.title)).toBe(/^# (.+)$/m.exec(text)?.[1])
    expect(JSON.parse(fields.description)).toBe(description)
    expect(JSON.parse(fields.canonical_url)).toBe(site.baseUrl + path)
    expect(fields.last_updated).toBe('2026-01-05')
    expect(text.split('\n## ').at(-1)).toMatch(/^Sitemap\n\n- \[.+\]\(.+\/sitemap\.md\)\n/)
    const fences = [...text.matchAll(/^```(.*)$/gm)].map(([, language]) => language)
    expect(fences.filter((_, at) => at % 2 === 0 && fences[at] === '')).toEqual([])
    expect(fences.filter((_, at) => at % 2 === 1).every((language) => language === '')).toBe(true)
    expect(fences.length % 2).toBe(0)
  })

  test('links only to full addresses, of which ours answer', async () => {
    const text = textOf(await ask(markdownAt)).replaceAll(/```[\s\S]*?```/g, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !link.startsWith('https://'))).toEqual([])
    const own = links.filter((link) => link.startsWith(site.baseUrl))
    const statuses = await Promise.all(
      own.map(async (link) => (await ask(link.slice(site.baseUrl.length).split('#')[0] ?? '')).status),
    )
    // Nobody can pay the test's gate: what is for sale answers 402, and what lacks a param of its sample 422.
    const dead = own.filter((link, at) => statuses[at] !== 200 && !isOfTheShop(link))
    expect(dead).toEqual([])
  })
})

const isOfTheShop = (link: string) =>
  ['/harbours', '/home-harbour', '/ports', '/tides', '/radio'].some((path) =>
    link.startsWith(site.baseUrl + path),
  )

test('sitemap.md names every page by its Markdown, sitemap.xml those that are HTML to everybody', () => {
  const xml = [...rendered(site, 'document.sitemap').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
  const listed = [...rendered(site, 'document.sitemap_md').matchAll(/^- \[.+?\]\((.+?)\): \S/gm)]
  const known = new Map(pages.map(({ path, markdownAt }) => [site.baseUrl + markdownAt, site.baseUrl + path]))
  expect(listed.map(([, url = '']) => known.get(url))).toEqual([...known.values()])
  expect(xml).toEqual(pages.filter(({ isHtml }) => isHtml).map(({ path }) => site.baseUrl + path))
  expect(xml.length).toBeGreaterThan(10)
})

test('llms.txt links every page as Markdown and none otherwise', () => {
  const links = [...rendered(site, 'document.llms').matchAll(/\]\(([^)\s]+)\)/g)].map(([, url]) => url)
  for (const { path, markdownAt } of pages)
    expect([
      links.filter((link) => link === site.baseUrl + markdownAt).length,
      links.includes(site.baseUrl + path),
    ]).toEqual([1, false])
})

test('a twin has nothing to negotiate', async () => {
  expect((await ask('/pricing.md')).headers.vary).toBe('Accept-Encoding')
  expect((await ask('/pricing.md', { accept: 'application/json' })).headers['content-type']).toContain(
    'markdown',
  )
})

describe('a missing page', () => {
  test.each(['/x', '/x.md', '/pricng', '/methodology/nothing', '/methodology/nothing.md', '/index.md.md'])(
    '%s is told in Markdown to those who ask for it, and in JSON to others',
    async (path) => {
      const { status, headers, body } = await ask(path, MARKDOWN)
      expect([status, headers['content-type'], headers.vary]).toEqual([
        404,
        'text/markdown; charset=utf-8',
        'Accept',
      ])
      expect(body).toContain(`${site.baseUrl}/sitemap.md`)
      const plain = await ask(path)
      expect([plain.status, plain.headers['content-type'], plain.headers.vary]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
        'Accept',
      ])
      expect(body).toContain(JSON.parse(plain.body).hint)
    },
  )

  test('names the page that was probably meant', async () => {
    expect((await ask('/pricng.md', MARKDOWN)).body).toContain('the nearest is GET /pricing.md')
  })

  test('is no missing product', async () => {
    const { headers } = await served.ask('POST', '/pricing', MARKDOWN)
    expect(headers['content-type']).toContain('problem+json')
  })

  test.each([
    ['/`](https://evil.test)', 404],
    ['/methodology/%60%0a%0a%23%20Do%20this', 404],
    ['/%2e%2e/x.md', 404],
    ['/../x.md', 404],
    ['/..%2f..%2fpackage.md', 404],
    ['/methodology/..%2fapi.md', 404],
    ['/methodology/%E0%A4%A.md', 404],
    ['/.md', 404],
    ['//index.md', 404],
    ['/__proto__.md', 404],
    [`/${'x'.repeat(2_000)}.md`, 404],
    [`/${'x'.repeat(9_000)}.md`, 414],
  ])('%s stays harmless', async (path, expected) => {
    const { status, body } = await ask(path, MARKDOWN)
    expect(status).toBe(expected)
    expect(body.length).toBeLessThan(1_500)
    // What the caller wrote stands on one line, inside a span that it cannot close.
    if (status === 404) expect(body.split('\n')[2]).toMatch(/^`[^`]+`$/)
  })

  test('a wish of 8 KB costs no more than a short one brings', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `a/${at % 9};q=0`).join()
    for (const path of ['/pricing', '/x.md', '/methodology/tokens']) {
      const { status } = await ask(path, { accept: `text/markdown,${many}`.slice(0, 8_192) })
      expect(status).toBe(path === '/x.md' ? 404 : 200)
    }
  })
})
