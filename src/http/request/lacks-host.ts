import type { IncomingMessage } from 'node:http'

/** HTTP/1.1 wants it, since one address may have several hosts. */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === '1.1'
