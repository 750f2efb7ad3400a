import type { Model } from '../../model/model.ts';
import { type QueryOf, query } from '../../model/query.ts';

export const sessionQuery = (model: Model): QueryOf<'session.get'> =>
  query('session.get', { sessionId: model.place.id ?? '' });
export const whyQuery = (model: Model): QueryOf<'session.why'> =>
  query('session.why', { sessionId: model.place.id ?? '' });
