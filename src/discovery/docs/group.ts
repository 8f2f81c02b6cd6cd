import { z } from 'zod'
import { defineDocument, defineDocumentSet, type Rendering } from '../../catalog/endpoints/document.ts'
import type { DocumentGroup, Group } from '../../catalog/group.ts'
import type { Site } from '../../catalog/site.ts'
import { NAME } from '../about.ts'
import { markdown } from '../json-document.ts'
import { pageRendering, withTwin } from '../markdown/twin.ts'
import { docsIndexOf } from './index-entries.ts'
import { docsIndexText } from './index-text.ts'
import { docsPath, subjectText, subjectTitle } from './subject-text.ts'

type AnyGroup = Group<never> | DocumentGroup<Site>

/** The reference for people: a page that lists everything, and one for each subject that has more than documents. */
export function docsGroupOf(groups: readonly AnyGroup[]): DocumentGroup<Site> {
  const subjects = new Map(
    groups.filter(hasReference).map(({ tag, about }): [string, string] => [tag, about]),
  )
  const tags = [...subjects.keys()]
  return {
    tag: 'docs',
    about: 'The reference for people, made of the same catalog as everything else. It is free.',
    endpoints: [
      ...withTwin(
        defineDocument<Site>({
          id: 'document.docs',
          path: docsPath(),
          summary: 'API reference',
          description: `Every endpoint of ${NAME} in one list, by subject, with prices; how paying works and what can go wrong.`,
          renderings: [markdown((site) => docsIndexText(site, tags))],
        }),
      ),
      docsIndexOf(tags),
      defineDocumentSet({
        id: 'document.docs_page',
        path: '/docs/{page}',
        summary: 'The reference of one subject',
        description:
          'Every endpoint of a subject: what it brings, params, price, a command to try it and an example.',
        params: z.object({ page: z.enum(tags as [string, ...string[]]).describe('Name of the subject') }),
        sample: { page: tags[0] ?? '' },
        pages: Object.fromEntries(
          tags.map((tag): [string, Rendering<Site>] => [tag, renderingOf(tag, subjects)]),
        ),
        about: (tag) => ({ title: subjectTitle(tag), description: describe(tag, subjects) }),
      }),
    ],
  }
}

const hasReference = ({ endpoints }: AnyGroup): boolean =>
  endpoints.some(({ kind }) => kind !== 'document' && kind !== 'document_set')

function renderingOf(tag: string, subjects: ReadonlyMap<string, string>): Rendering<Site> {
  const plain = markdown((site) => subjectText(site, tag))
  return pageRendering(docsPath(tag), () => describe(tag, subjects), plain)
}

const describe = (tag: string, subjects: ReadonlyMap<string, string>): string =>
  `${NAME} reference: ${subjects.get(tag) ?? ''}`
