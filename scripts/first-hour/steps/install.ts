import assert from 'node:assert/strict'
import type { Clone } from '../clone.ts'
import type { Step } from '../step.ts'

/** What a machine says of its own npm settings is not said of the project. */
const OWN_SETTINGS = /^npm warn Unknown (user|env|cli|global|builtin) config/

export const installSteps: Step<Clone>[] = [
  {
    item: 5,
    says: 'npm ci warns of nothing',
    async walk(clone) {
      const { code, err, seconds } = await clone.run('npm', ['ci'])
      const warnings = err
        .split('\n')
        .filter((line) => /^npm (warn|error)/.test(line) && !OWN_SETTINGS.test(line))
      assert.equal(code, 0, err)
      assert.deepEqual(warnings, [])
      return `${seconds.toFixed(0)} s, 0 warnings`
    },
  },
]
