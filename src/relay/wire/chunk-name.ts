import { createHash } from 'node:crypto'

/** A chunk is named after what it holds. */
export const chunkName = (text: string): string => createHash('sha1').update(text).digest('hex')
