import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isStory = ({ moduleId }: TestSpecification) => /\/(test|clients)\//.test(moduleId)

/** Long tests begin first, so that none of them is left alone at the end: stories about the whole service, then units. */
export class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isStory), ...sorted.filter((file) => !isStory(file))]
  }
}
