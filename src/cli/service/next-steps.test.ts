import { expect, test } from 'vitest'
import { secret } from '../../core/secret.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { nextSteps } from './next-steps.ts'

test('the key that a first start made is shown with its file, and no other start speaks of one', () => {
  const shown = nextSteps(testSite(), { key: secret('tbk_made'), file: '/data/operator-key' })
  expect(shown).toContain('operator key: tbk_made\n      shown this once, and kept in /data/operator-key\n')
  expect(nextSteps(testSite())).not.toContain('operator key')
})
