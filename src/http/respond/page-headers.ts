import type { AnyProduct } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { HeaderList } from '../headers.ts'
import type { Target } from '../request/target.ts'

const NO_HEADERS: HeaderList = []

/** How long a list is and where its next page stands (RFC 8288), whatever form the reply has. */
export function pageHeaders({ page }: AnyProduct, { text }: EncodedReply, target: Target): HeaderList {
  if (!page) return NO_HEADERS
  const { total, nextOffset } = page(JSON.parse(text))
  const counted = ['X-Total-Count', String(total), 'Access-Control-Expose-Headers', 'X-Total-Count']
  return nextOffset === null
    ? counted
    : [...counted, 'Link', `<${addressAt(target, nextOffset)}>; rel="next"`]
}

function addressAt({ path, query }: Target, offset: number): string {
  const next = new URLSearchParams(query)
  next.set('offset', String(offset))
  return `${path}?${next}`
}
