import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page of another site sent the request, with the address of its visitor: as an image, a script's request or a
 * link. Only browsers send the header, and no page can change it.
 */
export const isForeignPage = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'cross-site'
