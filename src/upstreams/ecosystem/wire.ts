import { z } from 'zod'
import { maybeNumber } from '../wire/number.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_FILES = 100_000
const MAX_PATH_CHARS = 1_000
const MAX_NAME_CHARS = 200
const MAX_TEXT_CHARS = 2_000
const MAX_URL_CHARS = 2_000
const MAX_NETWORKS = 50
const MAX_ID_CHARS = 100
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
/** Of a file that names a partner: a few hundred bytes. */
const MAX_FILE_BYTES = 1e9

const Blob = z.object({
  path: wireText(MAX_PATH_CHARS, 1),
  type: z.string(),
  sha: z.string().regex(SHA, 'expected a hash'),
  size: orUnknown(maybeNumber({ min: 0, max: MAX_FILE_BYTES })),
})
export type TreeFile = { path: string; sha: string; size: number | undefined }

/** The files of a repository. GitHub cuts long lists off and says so: such a list is refused. */
export const TreeReply = z
  .object({ tree: wireArray(z.unknown(), MAX_FILES), truncated: z.unknown().optional() })
  .transform(({ tree, truncated }, { issues }): readonly TreeFile[] => {
    if (truncated === true || truncated === 'true')
      issues.push({ code: 'custom', input: undefined, message: 'truncated: the list is not whole' })
    const files: TreeFile[] = []
    for (const each of tree) {
      const { success, data } = Blob.safeParse(each)
      if (success && data.type === 'blob') files.push({ path: data.path, sha: data.sha, size: data.size })
    }
    if (files.length === 0)
      issues.push({ code: 'custom', input: undefined, message: 'tree: no files that can be read' })
    return files
  })

/** Somebody who is listed on x402.org. Texts are as they were sent, only cut. */
export type Partner = {
  name: string
  description: string
  category: string
  url: string
  /** Of a facilitator; empty for others. */
  networks: readonly string[]
}

const Facilitator = z.object({
  networks: z
    .unknown()
    .optional()
    .transform((names) =>
      (Array.isArray(names) ? names.slice(0, MAX_NETWORKS) : [])
        .filter((name) => typeof name === 'string')
        .map((name) => name.slice(0, MAX_ID_CHARS)),
    ),
})

/** `metadata.json` of a partner. */
export const PartnerFile = z
  .object({
    name: wireText(MAX_NAME_CHARS, 1),
    description: shownWords(MAX_TEXT_CHARS),
    category: shownWords(MAX_ID_CHARS),
    websiteUrl: wireText(MAX_URL_CHARS, 1),
    facilitator: orUnknown(Facilitator),
  })
  .transform(
    ({ name, description, category, websiteUrl, facilitator }): Partner => ({
      name,
      description,
      category,
      url: websiteUrl,
      networks: facilitator?.networks ?? [],
    }),
  )
