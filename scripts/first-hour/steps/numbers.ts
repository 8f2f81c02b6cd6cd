import assert from 'node:assert/strict'
import type { Step } from '../step.ts'

/** The project's own tests in the clone; what they try is left to `npm test`. */
export const numberSteps: Step[] = [
  byTests(14, 'a run of tests ends with what was skipped and how to get it', [
    'src/testing/summary-reporter.test.ts',
  ]),
]

function byTests(item: number, says: string, files: readonly string[]): Step {
  return {
    item,
    says,
    async walk({ clone }) {
      const { code, out, err } = await clone.run('npm', ['test', '--', ...files])
      assert.equal(code, 0, out + err)
      return `${/^\d+ passed, 0 failed/m.exec(out)?.[0]} in ${files.join(', ')}`
    },
  }
}
