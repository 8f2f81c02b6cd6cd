import { createHash } from 'node:crypto'
import type { Document } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import type { HeaderList } from '../headers.ts'
import { type Reply, textReply } from '../reply.ts'

export type ServeDocument = (accept: string | undefined, ifNoneMatch: string | undefined) => Reply
type Rendered = { mediaType: string; etag: string; full: Reply; unchanged: Reply }

const CACHE = 'public, max-age=60'

/** Renders every form of a document once; afterwards a request only chooses and copies. */
export function createServeDocument(document: Document<Site>, site: Site): ServeDocument {
  const negotiates = document.renderings.length > 1
  const rendered = document.renderings.map(({ mediaType, render }) =>
    prepare(mediaType, render(site), negotiates),
  )
  const [first] = rendered as [Rendered, ...Rendered[]]
  return (accept, ifNoneMatch) => {
    const chosen = negotiates ? (findAccepted(rendered, accept) ?? first) : first
    return ifNoneMatch !== undefined && matches(ifNoneMatch, chosen.etag) ? chosen.unchanged : chosen.full
  }
}

function prepare(mediaType: string, body: string, negotiates: boolean): Rendered {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const validators: HeaderList = [
    'ETag',
    etag,
    'Cache-Control',
    CACHE,
    ...(negotiates ? ['Vary', 'Accept'] : []),
  ]
  const type = /^(text\/|application\/(?:[\w.-]+\+)?json)/.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType
  return {
    mediaType,
    etag,
    full: textReply(200, body, ['Content-Type', type, ...validators]),
    unchanged: textReply(304, '', validators),
  }
}

/** The form the caller wants most; `*` and absence mean the default, an equal wish the earlier one. */
function findAccepted(rendered: readonly Rendered[], accept: string | undefined): Rendered | undefined {
  let best: { form: Rendered; weight: number } | undefined
  for (const wish of (accept ?? '').split(',')) {
    const [range = '', ...options] = wish.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(options.find((option) => option.startsWith('q='))?.slice(2) ?? 1)
    const form = rendered.find((each) => each.mediaType === range)
    if (form && weight > (best?.weight ?? 0)) best = { form, weight }
  }
  return best?.form
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
}
