import type { z } from 'zod'
import type { Access } from '../access.ts'
import type { Caller, CallerOf } from '../caller.ts'
import type { Path } from '../path.ts'
import type { AnyParams, Asking, Description, MissingNames } from './endpoint.ts'

/** A page for people. Its policy names what it may load; without one it may load nothing. */
export type PageText = { html: string; contentSecurityPolicy?: string }

type Visit<S, Params extends z.ZodObject, A extends Access, Made> =
  | {
      caller?: undefined
      handle: (services: S, params: z.output<Params>) => Made | Promise<Made>
    }
  | {
      caller: true
      handle: (services: S, params: z.output<Params>, caller: CallerOf<A>) => Made | Promise<Made>
    }

type Visited<S, K extends string, Made> = Description & {
  kind: K
  method: 'GET'
  params: z.ZodObject
  sample: AnyParams
  caller?: true
  handle: (services: S, params: AnyParams, caller?: Caller) => Made | Promise<Made>
}
export type Page<S> = Visited<S, 'page', PageText>
export type Pixel<S> = Visited<S, 'pixel', void>

/** HTML, made for each visit. */
export function definePage<S, P extends Path, Params extends z.ZodObject, A extends Access>(
  page: Description<P, A> & Asking<Params> & Visit<S, Params, A, PageText> & MissingNames<P, Params>,
): Page<S> {
  return { ...page, kind: 'page', method: 'GET' } as unknown as Page<S>
}

/** The smallest transparent GIF, in base64. */
export const PIXEL_GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A transparent image of one pixel; asking for it is what counts, but for those who ask not to be counted. */
export function definePixel<S, P extends Path, Params extends z.ZodObject, A extends Access>(
  pixel: Description<P, A> & Asking<Params> & Visit<S, Params, A, void> & MissingNames<P, Params>,
): Pixel<S> {
  return { ...pixel, kind: 'pixel', method: 'GET' } as unknown as Pixel<S>
}
