import type { SourcePages } from '../source-pages.ts'
import { QueuePage } from './queue-page.tsx'
import { QueuesPage } from './queues-page.tsx'

/** The pages of queues. */
export const queuePages: SourcePages = {
  page: {
    name: 'queues',
    title: 'Queues',
    part: 'queues',
    wrong: 'Dead letters',
    sign: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
    routes: {
      '/': () => <QueuesPage />,
      '/*': name => <QueuePage key={name} name={name} />,
    },
  },
}
