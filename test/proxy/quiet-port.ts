import { createServer } from 'node:http'
import { listen } from '../../src/http/listen.ts'

/** Below those that systems give to whoever asks for any, so that no other test takes it before it is used. */
const [FIRST, LAST] = [15_000, 31_999]

/** A free port that stays so until it is used. */
export async function quietPort(): Promise<number> {
  const probe = createServer()
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1))
  const isFree = await listen(probe, '127.0.0.1', port).then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => probe.close(resolve))
  return isFree ? port : quietPort()
}
