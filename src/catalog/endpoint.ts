import type { z } from 'zod'
import type { Access } from './access.ts'
import type { Path, PathNames } from './path.ts'
import type { Services } from './services.ts'

export type Method = 'GET' | 'POST'
export type Tag = 'discovery' | 'market' | 'payments' | 'record' | 'service' | 'signals'

/** Another address of the same product; `preset` fixes params that this address does not carry. */
export type Alias = Path | { path: Path; preset: Readonly<Record<string, string>> }

/** What is sold or given away, said once: routes, documents, tools and tests read this object. */
export type Product<
  P extends Path = Path,
  Params extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
> = {
  /** Key in ledger and metrics: never renamed, never reused. */
  id: string
  method: Method
  path: P
  aliases?: readonly Alias[]
  access: Access
  tag: Tag
  summary: string
  /** At most 500 characters: directories refuse more. */
  description: string
  params: Params
  /** Values that make a call worth showing; the example reply belongs to them. */
  sample: z.input<Params>
  response: Reply
  example: z.input<Reply>
  /** Name of the MCP tool that sells the same. */
  tool?: string
  /** How old the data may be, by its own timestamp; older is not delivered and not charged. */
  freshForMs?: number
  /** Reply headers a cache may act on; paid replies always say `no-store`. */
  cacheControl?: string
  /** The reply itself reports an outage (only `/health`): it is delivered with 503. */
  isOutage?: (reply: z.input<Reply>) => boolean
  /** Differs whenever the reply would: until then the encoded reply is kept and copied. */
  changes?: (services: Services, params: z.output<Params>) => unknown
  handle: (services: Services, params: z.output<Params>) => z.input<Reply> | Promise<z.input<Reply>>
}

/** The compiler checks that every `{name}` of the path is a param, and that examples have the declared shapes. */
export function defineEndpoint<P extends Path, Params extends z.ZodObject, Reply extends z.ZodType>(
  product: Product<P, Params, Reply> & MissingNames<P, Params>,
): AnyProduct {
  return { ...product, kind: 'product' } as unknown as AnyProduct
}

type MissingNames<P extends Path, Params extends z.ZodObject> =
  Exclude<PathNames<P>, keyof z.input<Params>> extends never
    ? unknown
    : { path: `params lack ${Exclude<PathNames<P>, keyof z.input<Params>> & string}` }

/** A product whose param and reply types are no longer known to the compiler; zod checks them at run time. */
export type AnyProduct = Omit<Product, 'sample' | 'example' | 'isOutage' | 'changes' | 'handle'> & {
  kind: 'product'
  sample: Record<string, unknown>
  example: unknown
  isOutage?: (reply: unknown) => boolean
  changes?: (services: Services, params: Record<string, unknown>) => unknown
  handle: (services: Services, params: Record<string, unknown>) => unknown
}
