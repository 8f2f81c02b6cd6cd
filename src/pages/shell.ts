import { markdownPath, type Path } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'
import { NAME, noticeOf, SUMMARY } from '../discovery/about.ts'
import { findPath } from '../discovery/address.ts'
import { dataBlock, type Html, html } from './html.ts'
import { STYLESHEET } from './stylesheet.ts'

export type PageHead = { path: Path; title: string; description: string }

/** Everything comes from where the page came from; nothing is written into it that runs. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PLACES = [
  { id: 'document.docs', words: 'Docs' },
  { id: 'document.quickstart', words: 'Quickstart' },
  { id: 'document.pricing', words: 'Pricing' },
  { id: 'document.methodology', words: 'Methodology' },
  { id: 'document.agents', words: 'Agents' },
]

/** What stands around every page. Links have no host: the visitor may know us by another name than our own. */
export function inShell(site: Site, head: PageHead, main: Html): string {
  const { path, title, description } = head
  const isHome = path === '/'
  const shownTitle = isHome ? `${NAME}: ${SUMMARY}` : `${title} · ${NAME}`
  const notice = noticeOf(site)
  const icon = findPath(site.catalog, 'document.favicon') ?? '/favicon.ico'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shownTitle}</title>
<meta name="description" content="${description}">
<meta property="og:title" content="${shownTitle}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<link rel="canonical" href="${site.baseUrl}${path}">
<link rel="alternate" type="text/markdown" href="${markdownPath(path)}">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${STYLESHEET}">
${dataBlock('about', JSON.stringify(structuredData(site, head)), 'application/ld+json')}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${notice !== '' && html`<p class="notice">${notice}</p>`}
<header class="bar">
<a class="brand" href="/"><img src="${icon}" width="28" height="28" alt=""> ${NAME}</a>
<nav aria-label="Pages">${PLACES.map(({ id, words }) => linkTo(site, id, words, path))}</nav>
</header>
<main id="main">
${main}
</main>
<footer class="foot">
${linkTo(site, 'document.llms', 'For agents: llms.txt')}
${linkTo(site, 'document.openapi', 'OpenAPI')}
<a href="${markdownPath(path)}">This page as Markdown</a>
</footer>
</body>
</html>
`.markup
}

function linkTo({ catalog }: Site, id: string, words: string, here?: Path): Html | false {
  const path = findPath(catalog, id)
  if (path === undefined) return false
  return html`<a href="${path}"${path === here && html` aria-current="page"`}>${words}</a> `
}

/** What search engines and agents read instead of the page. */
function structuredData({ baseUrl }: Site, { path, title, description }: PageHead) {
  const service = { '@type': 'WebSite', name: NAME, url: `${baseUrl}/` }
  const about = { '@context': 'https://schema.org', inLanguage: 'en', description, url: baseUrl + path }
  return path === '/'
    ? { ...service, ...about, url: service.url }
    : { '@type': 'TechArticle', ...about, headline: title, isPartOf: service }
}
