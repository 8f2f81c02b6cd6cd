import { expect, test } from 'vitest'
import { anvilCheck } from './anvil.ts'

const { signal } = new AbortController()

test.each([
  ['none', '/nowhere/anvil', 'ENOENT'],
  ['one that does not run here', 'false', 'ended with 1'],
])('%s is a warning with a way out: the service starts all the same', async (_, binary, words) => {
  const finding = await anvilCheck(binary).run(signal)
  expect(finding).toMatchObject({ state: 'warning', what: expect.stringContaining(words) })
  expect(finding.what).toContain('npm ci')
})
