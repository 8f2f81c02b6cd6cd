import type { Document, DocumentSet, Rendering } from '../../catalog/endpoints/document.ts'
import { MARKDOWN_ENDING } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'
import { prosePage } from '../../pages/prose/prose-page.ts'
import type { HeaderList } from '../headers.ts'
import { type Reply, textReply } from '../reply.ts'
import { findAccepted } from '../request/accepted.ts'
import { etagOf, isKnown } from './etag.ts'

export type ServeDocument = (accept: string | undefined, ifNoneMatch: string | undefined) => Reply
type Rendered = { mediaType: string; etag: string; full: Reply; unchanged: Reply }

/** Of a page that there is not. */
const SHOWN_CHARS = 100
const CACHE = 'public, max-age=60'

/** Renders every form of a document once; afterwards a request only chooses and copies. */
export function createServeDocument(document: Pick<Document<Site>, 'renderings'>, site: Site): ServeDocument {
  const renderings = document.renderings.flatMap((each, at) => {
    if (!each.prose) return [each]
    return at === 0 ? [prosePage(each.prose), each] : [each, prosePage(each.prose)]
  })
  const negotiates = renderings.length > 1
  const rendered = renderings.map((rendering) => prepare(rendering, site, negotiates))
  const mediaTypes = rendered.map(({ mediaType }) => mediaType)
  const [first] = rendered as [Rendered, ...Rendered[]]
  return (accept, ifNoneMatch) => {
    const wanted = negotiates ? findAccepted(mediaTypes, accept) : undefined
    const chosen = rendered.find(({ mediaType }) => mediaType === wanted) ?? first
    return isKnown(ifNoneMatch, chosen.etag) ? chosen.unchanged : chosen.full
  }
}

/** One of a set by its name, or as nothing but Markdown by its name with `.md`. */
export function createFindPage({ pages }: DocumentSet<Site>, site: Site): (page: string) => ServeDocument {
  const served = new Map(
    Object.entries(pages).flatMap(([page, rendering]): [string, ServeDocument][] => {
      const { prose: _, ...markdown } = rendering
      return [
        [page, createServeDocument({ renderings: [rendering] }, site)],
        [page + MARKDOWN_ENDING, createServeDocument({ renderings: [markdown] }, site)],
      ]
    }),
  )
  const hint = `the pages are ${Object.keys(pages).join(', ')}`
  return (page) => {
    const serve = served.get(page)
    if (serve) return serve
    throw new ServiceError('not_found', `there is no page ${JSON.stringify(page.slice(0, SHOWN_CHARS))}`, {
      hint,
    })
  }
}

function prepare(rendering: Rendering<Site>, site: Site, varies: boolean): Rendered {
  const { mediaType, render, links, contentSecurityPolicy } = rendering
  const body = render(site)
  const etag = etagOf(body)
  const validators: HeaderList = [
    'ETag',
    etag,
    'Cache-Control',
    CACHE,
    ...(varies ? ['Vary', 'Accept'] : []),
    ...(links ? ['Link', links(site)] : []),
  ]
  const type = /^(text\/|application\/(?:[\w.-]+\+)?json)/.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType
  const full = textReply(200, body, ['Content-Type', type, ...validators])
  return {
    mediaType,
    etag,
    full: contentSecurityPolicy === undefined ? full : { ...full, contentSecurityPolicy },
    unchanged: textReply(304, '', validators),
  }
}
