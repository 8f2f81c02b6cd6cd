import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { NAME, noticeOf } from '../about.ts'
import { urlOf } from '../address.ts'
import { markdown, text } from '../json-document.ts'
import { frontmatter, lastUpdated } from '../markdown/frame.ts'
import { pageLines, pagesOf } from '../markdown/pages.ts'
import { blocks } from '../markdown-text.ts'

export const sitemap = defineDocument({
  id: 'document.sitemap',
  path: '/sitemap.xml',
  summary: 'Sitemap',
  description: 'What is to be read here, each page also as Markdown, for search engines and agents.',
  renderings: [text('application/xml', sitemapText)],
})

const SITEMAP_MD = '/sitemap.md'
const MD_DESCRIPTION = 'All pages of this service with their titles, each linked as Markdown, for agents.'

export const sitemapMarkdown = defineDocument({
  id: 'document.sitemap_md',
  path: SITEMAP_MD,
  summary: 'Sitemap as Markdown',
  description: MD_DESCRIPTION,
  renderings: [
    {
      ...markdown(sitemapMarkdownText),
      links: ({ baseUrl }) => `<${baseUrl}${SITEMAP_MD}>; rel="canonical"`,
    },
  ],
})

/** What has a Markdown twin: whoever comes from here is to find one. Live pages have none, and every page links them. */
function sitemapText(site: Site): string {
  const urls = pagesOf(site)
    .filter(({ isHtml }) => isHtml)
    .map(({ path }) => urlElement(site, path))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

function urlElement(site: Site, path: string): string {
  return `  <url><loc>${escapeXml(site.baseUrl + path)}</loc><lastmod>${lastUpdated(site)}</lastmod></url>`
}

function sitemapMarkdownText(site: Site): string {
  const title = `${NAME} sitemap`
  return blocks(
    frontmatter(site, { path: SITEMAP_MD, description: MD_DESCRIPTION }, title),
    `# ${title}`,
    noticeOf(site),
    `Pages and all endpoints in one list: ${urlOf(site, 'document.llms')}`,
    '## Pages',
    pageLines(site),
  )
}

function escapeXml(address: string): string {
  return address.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
