import type { z } from 'zod'
import type { MayLook } from '../../core/may-look.ts'
import type { Access } from '../access.ts'
import type { Caller, CallerOf } from '../caller.ts'
import type { EncodedText } from '../encoded-text.ts'
import type { Offering } from '../offering.ts'
import type { Path, PathNames } from '../path.ts'
import type { RateLimit } from '../rate-limit.ts'
import { recordedOf } from './recorded-call.ts'

export type Method = 'GET' | 'POST'

/** Another address of the same endpoint; `preset` fixes params that this address does not carry. */
export type Alias = Path | { path: Path; preset: Readonly<Record<string, string>> }

/** What every endpoint says of itself, whatever it answers with. */
export type Description<P extends Path = Path, A extends Access = Access> = {
  /** Key in ledger and metrics: never renamed, never reused. */
  id: string
  path: P
  aliases?: readonly Alias[]
  access: A
  summary: string
  /** At most 500 characters: directories refuse more. */
  description: string
  /** Offered only by an installation that has this; absent: by every one. */
  onlyWith?: keyof Offering
  limit?: RateLimit
}

/** What every endpoint with a handler asks for. */
export type Asking<Params extends z.ZodObject = z.ZodObject> = {
  params: Params
  /** Values that make a call worth showing; the example reply belongs to them. A recorded call has its own where these name nothing real. */
  sample: z.input<Params>
  /** The sample names what only its caller has. Commands show these words instead, and documents do not link to it. */
  placeholders?: Placeholders<keyof z.input<Params> & string>
}

export type Placeholders<Name extends string = string> = {
  values: { readonly [N in Name]?: Uppercase<string> | `${Uppercase<string>}:cancel` }
  /** What to put in place of each. */
  from: string
}

/** What is sold or given away as JSON, said once: routes, documents, tools and tests read this object. */
type Product<
  S,
  P extends Path,
  Params extends z.ZodObject,
  Reply extends z.ZodType,
  A extends Access,
> = Description<P, A> &
  Asking<Params> &
  Handling<S, Params, Reply, A> & {
    method: Method
    /** Free where an installation has this, else for the operator only. */
    openWith?: keyof Offering
    /** Where the params stand that are not in the path. A JSON body needs a POST. */
    paramsIn?: 'query' | 'body'
    /** The largest body that is read, in bytes; absent: 64 KiB. */
    bodyBytes?: number
    /** Pages of other sites may not call it: what it does, it does in the name of their visitor. */
    ownPagesOnly?: true
    /**
     * What a call with these params brings, in a few words for people; absent: the summary. On a page it gets only what
     * the schema bounds: no free text of an address.
     */
    title?: (params: z.output<Params>) => string
    /** The same in one plain sentence, whatever the params: no codes, no names of fields; absent: the description. */
    brings?: string
    /** The wallet that signs in with these params, for the log; only where they stand in the body. */
    signer?: (params: z.output<Params>) => string
    response: Reply
    /** Absent: what the service answered when `npm run examples` asked with the sample, or with one that it made. */
    example?: z.input<Reply>
    /**
     * A caller who accepts events gets the reply so: these pieces of its text first, then the whole. It is made and
     * checked before the first piece leaves.
     */
    pieces?: (reply: z.output<Reply>) => readonly string[]
    /** Name of the MCP tool that sells the same. */
    tool?: string
    /**
     * Throws `not_found`, or a code like it, where the params name a coin, market or wallet that we do not have. Asked
     * before the price: nobody signs for what does not exist. Only what is sold has it, and it must be cheap. Whatever
     * asks a source for it calls `mayLook` first.
     */
    checkExists?: (services: S, params: z.output<Params>, mayLook: MayLook) => void | Promise<void>
    /** What `checkExists` may ask of sources for one client; products that ask the same ones share it. */
    lookLimit?: RateLimit
    /** How old the data may be, by its own timestamp; older is not delivered and not charged. */
    freshForMs?: number
    /** Reply headers a cache may act on; paid replies always say `no-store`. */
    cacheControl?: string
    /** Replies carry a strong ETag, and a caller who has the reply already gets 304. Only what is free has it. */
    etag?: true
    /** The same reply as a table, for callers who ask for `text/csv` or give `format=csv`. Not of what is open or sold. */
    csv?: { fileName: string; toText: (reply: z.output<Reply>) => string }
    /** The reply is one page of a list. Headers say so, since a table has no room for it. Not of what is open or sold. */
    page?: (reply: z.output<Reply>) => ListPage
    /** The reply itself reports an outage (only `/health`): it is delivered with 503. */
    isOutage?: (reply: z.input<Reply>) => boolean
  }

/** How long the whole list is, and the `offset` of the page that follows; null: this is the last. */
export type ListPage = { total: number; nextOffset: number | null }

/** A handler that must know its caller says so; its replies are then never shared between callers. */
type Handling<S, Params extends z.ZodObject, Reply extends z.ZodType, A extends Access> =
  | {
      caller?: undefined
      /** Differs whenever the reply would: until then the encoded reply is kept and copied. */
      changes?: (services: S, params: z.output<Params>) => unknown
      handle: (services: S, params: z.output<Params>) => Made<Reply>
    }
  | {
      caller: true
      changes?: undefined
      handle: (services: S, params: z.output<Params>, caller: CallerOf<A>) => Made<Reply>
    }
type Made<Reply extends z.ZodType> = z.input<Reply> | EncodedText | Promise<z.input<Reply> | EncodedText>

/**
 * The compiler checks that every `{name}` of the path is a param, and the catalog that the example has the declared shape.
 * What the handler says it needs (`handle: ({ market }: MarketServices, …)`) is what its group must be given.
 */
export function defineEndpoint<
  S,
  P extends Path,
  Params extends z.ZodObject,
  Reply extends z.ZodType,
  A extends Access,
>(product: Product<S, P, Params, Reply, A> & MissingNames<P, Params>): ProductOf<S> {
  return { paramsIn: 'query', ...product, ...recordedOf(product), kind: 'product' } as unknown as ProductOf<S>
}

export type MissingNames<P extends Path, Params extends z.ZodObject> =
  Exclude<PathNames<P>, keyof z.input<Params>> extends never
    ? unknown
    : { path: `params lack ${Exclude<PathNames<P>, keyof z.input<Params>> & string}` }

export type AnyParams = Record<string, unknown>

/** A product whose param and reply types are no longer known to the compiler; zod checks them at run time. */
export type ProductOf<S> = Description &
  Pick<
    Product<S, Path, z.ZodObject, z.ZodType, Access>,
    | 'method'
    | 'openWith'
    | 'bodyBytes'
    | 'ownPagesOnly'
    | 'tool'
    | 'brings'
    | 'freshForMs'
    | 'cacheControl'
    | 'etag'
    | 'lookLimit'
  > & {
    kind: 'product'
    paramsIn: 'query' | 'body'
    params: z.ZodObject
    sample: AnyParams
    title?: (params: AnyParams) => string
    signer?: (params: AnyParams) => string
    placeholders?: Placeholders
    response: z.ZodType
    example: unknown
    isOutage?: (reply: unknown) => boolean
    csv?: { fileName: string; toText: (reply: unknown) => string }
    page?: (reply: unknown) => ListPage
    pieces?: (reply: unknown) => readonly string[]
    checkExists?: (services: S, params: AnyParams, mayLook: MayLook) => void | Promise<void>
    caller?: true
    changes?: (services: S, params: AnyParams) => unknown
    handle: (services: S, params: AnyParams, caller?: Caller) => unknown
  }
