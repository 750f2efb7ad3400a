import type { Settings } from './settings.ts';

type Tls = Settings['temporal']['tls'];
type Key = 'engine' | 'temporal.apiKey' | `temporal.tls.${keyof Tls}`;

/** The sentence about settings of `engine: temporal` that contradict each other; undefined if they agree. */
export function temporalContradiction(
  { engine, database, temporal }: Pick<Settings, 'engine' | 'database' | 'temporal'>,
  placeOf: (key: Key) => string,
): string | undefined {
  if (engine !== 'temporal') return undefined;
  if (database.mode !== 'external') {
    return `${placeOf('engine')} is temporal, which needs database.mode: external, but that is ${database.mode}.`;
  }
  const { enabled, ...ofTls } = temporal.tls;
  const unused = Object.entries(ofTls).find(([, value]) => value !== undefined);
  const needsTls: Key | undefined =
    temporal.apiKey !== undefined ? 'temporal.apiKey' : unused && `temporal.tls.${unused[0] as keyof Tls}`;
  // A key would travel in the clear, and nothing would use a certificate.
  if (!enabled && needsTls) {
    return `${placeOf(needsTls)} is set, but temporal.tls.enabled is false; set temporal.tls.enabled: true, or remove ${needsTls}.`;
  }
  const { certFile, keyFile } = ofTls;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [given, missing] =
      certFile === undefined ? (['keyFile', 'certFile'] as const) : (['certFile', 'keyFile'] as const);
    return `${placeOf(`temporal.tls.${given}`)} is set, but temporal.tls.${missing} is not; a certificate needs its key.`;
  }
  return undefined;
}
