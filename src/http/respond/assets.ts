import { ASSETS, ASSETS_VERSION } from '../../pages/frame/assets.ts'
import type { Reply } from '../reply.ts'
import { type Asked, type Prepared, prepareReply } from './prepared.ts'

/** With the version in its address a file never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'
const SHORTLY = 'public, max-age=60'

type Served = { versioned: Prepared; bare: Prepared }

/** Files that pages load. Undefined where there is none of that name. */
export function createServeAsset() {
  const served = new Map(
    ASSETS.map(({ path, mediaType, bytes }): [string, Served] => {
      const prepare = (cache: string) =>
        prepareReply({ body: bytes, headers: ['Content-Type', mediaType, 'Cache-Control', cache] })
      return [path, { versioned: prepare(FOR_EVER), bare: prepare(SHORTLY) }]
    }),
  )
  return (path: string, rawQuery: string, asked: Asked): Reply | Promise<Reply> | undefined => {
    const asset = served.get(path)
    if (!asset) return undefined
    return rawQuery === `v=${ASSETS_VERSION}` ? asset.versioned(asked) : asset.bare(asked)
  }
}
