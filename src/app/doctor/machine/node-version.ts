import { type Check, failure, ok } from '../check.ts'

/** The first release that runs TypeScript and SQLite without a flag. */
const OLDEST_MAJOR = 24
const NEXT = 'run npm ci in the folder of the project, which brings its own Node, and start with ./tollbook'

export function nodeVersionCheck(version: string = process.versions.node): Check {
  return {
    name: 'node',
    group: 'machine',
    advice: NEXT,
    async run() {
      const major = Number(version.split('.')[0])
      const what = `Node ${version} on ${process.platform} ${process.arch}`
      return major >= OLDEST_MAJOR ? ok(what) : failure(`${what}, and ${OLDEST_MAJOR} is needed`, NEXT)
    },
  }
}
