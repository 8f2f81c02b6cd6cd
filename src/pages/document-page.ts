import type { Prose, Rendering } from '../catalog/endpoints/document.ts'
import type { Path } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'
import { docsPath } from '../discovery/docs/subject-text.ts'
import { docsPage } from './docs/docs-page.ts'
import { subjectPage } from './docs/subject-page.ts'
import type { Page } from './frame/page.ts'
import { inShell, PAGE_POLICY } from './frame/shell.ts'
import { homePage } from './home/home-page.ts'
import { pricingPage } from './pricing/pricing-page.ts'
import { prosePage } from './prose/prose-page.ts'

type ToPage = (site: Site, prose: Prose<Site>) => Page

/** Pages that show more than their text. */
const OWN_PAGES: Partial<Record<Path, ToPage>> = {
  '/': homePage,
  '/pricing': pricingPage,
  [docsPath()]: docsPage,
}

/** What decides about a page that shows more than its text and what is known at start. */
const CHANGES: Partial<Record<Path, (site: Site) => unknown>> = {
  '/': ({ lastCall }) => lastCall?.()?.record_path,
}

/** What a browser shows of a document that others read as Markdown. */
export function documentPage(prose: Prose<Site>): Rendering<Site> {
  const pageOf = toPageOf(prose.path)
  return {
    mediaType: 'text/html',
    contentSecurityPolicy: PAGE_POLICY,
    changes: CHANGES[prose.path],
    render: (site) => inShell(site, pageOf(site, prose)),
  }
}

function toPageOf(path: Path): ToPage {
  if (path.startsWith(`${docsPath()}/`)) return subjectPage
  return OWN_PAGES[path] ?? prosePage
}
