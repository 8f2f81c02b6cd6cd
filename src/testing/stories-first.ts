import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isStory = ({ moduleId }: TestSpecification) => /\/(test|clients)\//.test(moduleId)

/** The name of the service that a file shares with others, if it does. */
const sharedBy = ({ moduleId }: TestSpecification) =>
  /(?:useSharedWorld|describeVisit)\('(.+?)'/.exec(readFileSync(moduleId, 'utf8'))?.[1]

/**
 * Long tests begin first, so that none of them is left alone at the end: stories about the whole service, then units.
 * Before all of them those that share a service, each after another that has the same.
 */
export class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const sharing = Map.groupBy(sorted, sharedBy)
    const alone = sharing.get(undefined) ?? []
    sharing.delete(undefined)
    return [
      ...[...sharing.values()].flat(),
      ...alone.filter(isStory),
      ...alone.filter((file) => !isStory(file)),
    ]
  }
}
