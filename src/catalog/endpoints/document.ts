import type { z } from 'zod'
import { type FreeAccess, free } from '../access.ts'
import type { Path } from '../path.ts'
import type { Asking, Description, MissingNames } from './endpoint.ts'

export type Rendering<C> = {
  mediaType: string
  render: (context: C) => string
  /** What the rendering parses to, for the API description; only JSON has one. */
  schema?: z.ZodType
  /** A short piece of the rendering, for the API description; it must not render that description itself. */
  example?: (context: C) => unknown
  /** Where the same is to be found otherwise: the `Link` header of RFC 8288. */
  links?: (context: C) => string
  /** Markdown that browsers are shown as a page; everybody who wishes nothing else, where there is no JSON. */
  prose?: Prose<C> | undefined
  contentSecurityPolicy?: string
  /** Differs whenever the rendering would. Without it a document is rendered once. */
  changes?: ((context: C) => unknown) | undefined
}

/** A text to read, without the frame that its Markdown has for agents. It begins with its title. */
export type Prose<C> = {
  path: Path
  describe: () => string
  text: (context: C) => string
}

/** A description of the service, made from what is known at start and rendered once. */
export type Document<C> = Description<Path, FreeAccess> & {
  kind: 'document'
  method: 'GET'
  /** The first is the default; the others are chosen by `Accept`. */
  renderings: readonly [Rendering<C>, ...Rendering<C>[]]
  /** Where its Markdown answers without an `Accept` header. Only a page to read has one. */
  markdownAt?: Path
}

export function defineDocument<C>(document: Omit<Document<C>, 'kind' | 'method' | 'access'>): Document<C> {
  return { ...document, kind: 'document', method: 'GET', access: free }
}

/** Pages of one kind, each below the same path by its name, and by its name with `.md`. Each is rendered once. */
export type DocumentSet<C> = Description<Path, FreeAccess> & {
  kind: 'document_set'
  method: 'GET'
  params: z.ZodObject
  sample: { page: string }
  pages: Readonly<Record<string, Rendering<C>>>
  about: (page: string) => { title: string; description: string }
}

export function defineDocumentSet<C, P extends `/${string}/{page}`, Params extends z.ZodObject>(
  set: Omit<Description<P, FreeAccess>, 'access'> &
    Asking<Params> &
    Pick<DocumentSet<C>, 'sample' | 'pages' | 'about'> &
    MissingNames<P, Params>,
): DocumentSet<C> {
  return { ...set, kind: 'document_set', method: 'GET', access: free }
}

/** An address that only points to another of ours. */
export type Redirect = Description<Path, FreeAccess> & { kind: 'redirect'; method: 'GET'; to: Path }

export function defineRedirect(redirect: Omit<Redirect, 'kind' | 'method' | 'access'>): Redirect {
  return { ...redirect, kind: 'redirect', method: 'GET', access: free }
}
