import assert from 'node:assert/strict'
import type { Step } from '../step.ts'

/** What only a replay on its own clock can show: the project's own tests, in the clone. */
export const numberSteps: Step[] = [
  byTests(14, 'a run of tests ends with what was skipped and how to get it', [
    'src/testing/summary-reporter.test.ts',
  ]),
  byTests(
    15,
    'a minute that was half heard is never sold as whole',
    ['test/feeds/half-heard.test.ts'],
    'second 40 to second 65|started',
  ),
  byTests(16, 'every source recovers within 30 s of its upstream', [
    'test/feeds/recovery.test.ts',
    'test/payments-recovery.test.ts',
  ]),
  byTests(17, '429 holds back all requests to a host; a price that stands still has a momentum', [
    'test/feeds/rest-host.test.ts',
    'src/signals/indicators/tick-momentum.test.ts',
  ]),
]

function byTests(item: number, says: string, files: readonly string[], names = ''): Step {
  return {
    item,
    says,
    async walk({ clone }) {
      const { code, out, err } = await clone.run('npm', ['test', '--', ...files, '-t', names])
      assert.equal(code, 0, out + err)
      return `${/^\d+ passed, 0 failed/m.exec(out)?.[0]} in ${files.join(', ')}`
    },
  }
}
