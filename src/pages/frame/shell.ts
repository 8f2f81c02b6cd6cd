import type { Path } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { NAME, noticeOf, SUMMARY } from '../../discovery/about.ts'
import { findPath } from '../../discovery/address.ts'
import { assetUrl } from './assets.ts'
import { dataBlock, type Html, html } from './html.ts'
import type { Page } from './page.ts'

/** Everything comes from where the page came from; nothing is written into it that runs. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Place = { id: string; words: string }

const BAR: readonly Place[] = [
  { id: 'document.docs', words: 'Docs' },
  { id: 'document.pricing', words: 'Pricing' },
  { id: 'page.scalper', words: 'Live' },
  { id: 'record.summary', words: 'Proof' },
  { id: 'service.status', words: 'Status' },
]
const FOOT: readonly { words: string; places: readonly Place[] }[] = [
  {
    words: 'Start',
    places: [
      { id: 'document.quickstart', words: 'Quickstart' },
      { id: 'document.paid', words: 'What is paid' },
      { id: 'document.agents', words: 'For agents' },
      { id: 'account.receipts', words: 'Your receipts' },
    ],
  },
  {
    words: 'Check us',
    places: [
      { id: 'document.methodology', words: 'Methodology' },
      { id: 'record.summary', words: 'Track record' },
      { id: 'payments.analytics', words: 'Sales' },
      { id: 'service.status', words: 'Status' },
    ],
  },
  {
    words: 'For programs',
    places: [
      { id: 'document.openapi', words: 'OpenAPI' },
      { id: 'document.llms', words: 'llms.txt' },
      { id: 'mcp.describe', words: 'MCP' },
      { id: 'document.sitemap_md', words: 'All pages' },
    ],
  },
]

/** What stands around every page. Links have no host: the visitor may know us by another name than our own. */
export function inShell(site: Site, page: Page): string {
  const notice = noticeOf(site)
  return html`<!doctype html>
<html lang="en" data-own="${site.baseUrl}">
${head(site, page)}
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
${notice !== '' && html`<p class="notice">${notice}</p>`}
<div class="bar">
<a class="brand" href="/"><img src="${iconOf(site)}" width="28" height="28" alt=""> ${NAME}</a>
<nav aria-label="Main">${BAR.map((place) => linkTo(site, place, page.path))}</nav>
</div>
</header>
<main id="main">
${page.main}
</main>
${foot(site, page)}
</body>
</html>
`.markup
}

function head(site: Site, page: Page): Html {
  const { path, title, description, markdownAt, isPrivate, scripts = [] } = page
  const shownTitle = path === '/' && !isPrivate ? `${NAME}: ${SUMMARY}` : `${title} · ${NAME}`
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shownTitle}</title>
<meta name="description" content="${description}">
${isPrivate ? html`<meta name="robots" content="noindex">` : shared(site, page, shownTitle)}
${markdownAt !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdownAt}">`}
<link rel="icon" href="${iconOf(site)}">
<link rel="stylesheet" href="${assetUrl('tollbook.css')}">
${['base.js', ...scripts].map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}
</head>`
}

/** What search engines read, and what is shown of us where somebody shares an address: there it needs the host. */
function shared(site: Site, page: Page, shownTitle: string): Html {
  const url = `${site.baseUrl}${page.path}`
  return html`<link rel="canonical" href="${url}">
<meta property="og:title" content="${shownTitle}">
<meta property="og:description" content="${page.description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${site.baseUrl}${assetUrl('og.png')}">
<meta name="twitter:card" content="summary_large_image">
${dataBlock('about', JSON.stringify(structuredData(site, page)), 'application/ld+json')}`
}

function foot(site: Site, { path, markdownAt }: Page): Html {
  const columns = FOOT.map(
    ({ words, places }) =>
      html`<nav aria-label="${words}"><strong>${words}</strong>${places.map((place) => linkTo(site, place, path))}</nav>\n`,
  )
  const { contactEmail } = site
  return html`<footer class="foot">
${columns}
<p>${NAME}${contactEmail !== '' && html`, run by <a href="mailto:${contactEmail}">${contactEmail}</a>`}.
Every figure on these pages comes from this service itself.
${markdownAt !== undefined && html`<a href="${markdownAt}">This page as Markdown</a>`}</p>
</footer>`
}

function linkTo({ catalog }: Site, { id, words }: Place, here: Path): Html | false {
  const path = findPath(catalog, id)
  if (path === undefined) return false
  return html`<a href="${path}"${path === here && html` aria-current="page"`}>${words}</a> `
}

/** Without its host, which may be another name of the one this page came from. */
function iconOf({ catalog }: Site): string {
  return findPath(catalog, 'document.favicon') ?? '/favicon.ico'
}

/** What search engines and agents read instead of the page. */
function structuredData({ baseUrl }: Site, { path, title, description }: Page) {
  const service = { '@type': 'WebSite', name: NAME, url: `${baseUrl}/` }
  const about = { '@context': 'https://schema.org', inLanguage: 'en', description, url: baseUrl + path }
  return path === '/'
    ? { ...service, ...about, url: service.url }
    : { '@type': 'TechArticle', ...about, headline: title, isPartOf: service }
}
