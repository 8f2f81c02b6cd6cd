import type { Socket } from 'node:net'
import { customerOf, type PeerOf } from '../../access/client-key.ts'

/** Who waits behind his own requests; a proxy brings those of many. */
export function ownerOf(socket: Socket, { key, isProxy }: ReturnType<PeerOf>): unknown {
  return isProxy ? socket : customerOf(key)
}
