import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { markRestored, markRestoring, refuseHalfRestored } from './half-restored.ts'

test.each([
  [{ backup: '/b', keysOnly: false, isSealed: false }, "run ./tollbook restore '/b' --force again"],
  [
    { backup: '/my b', keysOnly: true, isSealed: false },
    "run ./tollbook restore '/my b' --force --keys-only again",
  ],
  [
    { backup: "/it's", keysOnly: false, isSealed: true },
    "restore '/it'\\''s' --force (with the passphrase, as before) again",
  ],
])('names the command that finishes %o', (restoring, advice) => {
  const dataDir = temporaryDir()
  markRestoring(dataDir, restoring)
  expect(() => refuseHalfRestored(dataDir)).toThrow(advice)
  markRestored(dataDir)
  refuseHalfRestored(dataDir)
})
