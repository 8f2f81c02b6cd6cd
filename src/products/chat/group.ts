import type { Group } from '../../catalog/group.ts'
import { createChat } from './chat.ts'
import type { ChatServices } from './services.ts'

export const createChatGroup = (site: string): Group<ChatServices> => ({
  tag: 'chat',
  about: "Questions and answers for visitors of the operator's website.",
  endpoints: [createChat(site)],
})
