import { shorten } from '../../core/shorten.ts'

const PATH_LIMIT = 200
/** Longer than any coin and shorter than any key, address, token or id of a purchase. */
const WHOLE_CHARS = 16

/**
 * A path as the log keeps it. What a caller put into it may be secret: the id of a purchase is its buyer's, and people
 * paste keys where they do not belong. Only the words of our own routes are kept at any length.
 */
export function loggedPath(path: string, route?: string): string {
  if (!path.startsWith('/')) return '*'
  const known = route?.split('/')
  const segments = path.split('/').map((segment, at) => {
    const isOurs = segment === known?.[at]
    return isOurs || segment.length <= WHOLE_CHARS ? segment : shorten(segment)
  })
  return segments.join('/').slice(0, PATH_LIMIT)
}
