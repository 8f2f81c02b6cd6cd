import type { EncodedText } from '../../catalog/encoded-text.ts'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { perRecord } from './per-record.ts'

/** Those that many ask for: 8 MB at the most. Their readers share the text, however slow they are. */
const MAX_PAGES = 16

/** `state` differs whenever the page would. */
type Asked = { first: number; end: number; state: readonly unknown[] }
type Kept = Pick<Asked, 'state'> & { page: EncodedText }

/** Makes a page once for all who ask for it until the next head. */
export const keptPagesOf = perRecord(() => {
  const pages = createBoundedCache<string, Kept>({ capacity: MAX_PAGES })
  return async ({ first, end, state }: Asked, make: () => Promise<EncodedText>): Promise<EncodedText> => {
    const span = `${first}-${end}`
    const known = pages.get(span)
    if (known?.state.every((part, at) => part === state[at])) return known.page
    const page = await make()
    pages.set(span, { state, page })
    return page
  }
})
