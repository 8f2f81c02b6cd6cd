import type { Document, DocumentSet, Rendering } from '../../catalog/endpoints/document.ts'
import { MARKDOWN_ENDING } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'
import { documentPage } from '../../pages/document-page.ts'
import { findAccepted } from '../request/accepted.ts'
import { type Asked, type Prepared, prepareReply } from './prepared.ts'

export type ServeDocument = Prepared & {
  /** Makes every form that was not asked for yet. */
  prepare(): void
}
type Form = { mediaType: string; find(): Prepared }

/** Of a page that there is not. */
const SHOWN_CHARS = 100
const CACHE = 'public, max-age=60'

/**
 * Renders every form of a document when it is first asked for, and again when what it shows has changed; otherwise a
 * request only chooses and copies.
 */
export function createServeDocument(document: Pick<Document<Site>, 'renderings'>, site: Site): ServeDocument {
  const renderings = document.renderings.flatMap((each, at) => {
    if (!each.prose) return [each]
    return at === 0 ? [documentPage(each.prose), each] : [each, documentPage(each.prose)]
  })
  const negotiates = renderings.length > 1
  const forms = renderings.map((rendering) => createForm(rendering, site, negotiates))
  const mediaTypes = forms.map(({ mediaType }) => mediaType)
  const [first] = forms as [Form, ...Form[]]
  const serve = (asked: Asked) => {
    const wanted = negotiates ? findAccepted(mediaTypes, asked.accept) : undefined
    const chosen = forms.find(({ mediaType }) => mediaType === wanted) ?? first
    return chosen.find()(asked)
  }
  return Object.assign(serve, {
    prepare() {
      for (const form of forms) form.find()
    },
  })
}

export type ServePages = {
  find(page: string): ServeDocument
  all: readonly ServeDocument[]
}

/** One of a set by its name, or as nothing but Markdown by its name with `.md`. */
export function createServePages({ pages }: DocumentSet<Site>, site: Site): ServePages {
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
  return {
    all: [...served.values()],
    find(page) {
      const serve = served.get(page)
      if (serve) return serve
      throw new ServiceError('not_found', `there is no page ${JSON.stringify(page.slice(0, SHOWN_CHARS))}`, {
        hint,
      })
    },
  }
}

function createForm(rendering: Rendering<Site>, site: Site, varies: boolean): Form {
  const { mediaType } = rendering
  let made: { of: unknown; prepared: Prepared } | undefined
  return {
    mediaType,
    find() {
      const of = rendering.changes?.(site)
      if (made?.of !== of || !made) made = { of, prepared: prepare(rendering, site, varies) }
      return made.prepared
    },
  }
}

function prepare(rendering: Rendering<Site>, site: Site, varies: boolean): Prepared {
  const { mediaType, render, links, contentSecurityPolicy } = rendering
  const type = /^(text\/|application\/(?:[\w.-]+\+)?json)/.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType
  const linked = links ? ['Link', links(site)] : []
  return prepareReply({
    body: Buffer.from(render(site)),
    headers: ['Content-Type', type, 'Cache-Control', CACHE, ...linked],
    contentSecurityPolicy,
    vary: varies ? 'Accept' : undefined,
  })
}
