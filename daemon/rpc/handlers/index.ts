import type { Handlers } from '../ports.ts';
import { approvalDecide } from './approval.decide.ts';
import { approvalGet } from './approval.get.ts';
import { approvalList } from './approval.list.ts';
import { artifactGet } from './artifact.get.ts';
import { artifactList } from './artifact.list.ts';
import { artifactValidate } from './artifact.validate.ts';
import { daemonDoctor } from './daemon.doctor.ts';
import { daemonStatus } from './daemon.status.ts';
import { daemonStop } from './daemon.stop.ts';
import { eventsSubscribe } from './events.subscribe.ts';
import { eventsUnsubscribe } from './events.unsubscribe.ts';
import { listCount } from './list.count.ts';
import { personaGet } from './persona.get.ts';
import { personaList } from './persona.list.ts';
import { personaValidate } from './persona.validate.ts';
import { policyCheck } from './policy.check.ts';
import { rpcDiscover } from './rpc.discover.ts';
import { runAbort } from './run.abort.ts';
import { runApply } from './run.apply.ts';
import { runCleanup } from './run.cleanup.ts';
import { runDiff } from './run.diff.ts';
import { runEvents } from './run.events.ts';
import { runGet } from './run.get.ts';
import { runLastBackends } from './run.lastBackends.ts';
import { runList } from './run.list.ts';
import { runPause } from './run.pause.ts';
import { runReport } from './run.report.ts';
import { runResume } from './run.resume.ts';
import { runStart } from './run.start.ts';
import { runVerify } from './run.verify.ts';
import { sessionAttachTarget } from './session.attachTarget.ts';
import { sessionGet } from './session.get.ts';
import { sessionList } from './session.list.ts';
import { sessionProbe } from './session.probe.ts';
import { sessionTranscript } from './session.transcript.ts';
import { sessionWhy } from './session.why.ts';
import { templateGet } from './template.get.ts';
import { templateList } from './template.list.ts';
import { templateValidate } from './template.validate.ts';

export const HANDLERS: Handlers = {
  'run.start': runStart,
  'run.lastBackends': runLastBackends,
  'run.list': runList,
  'run.get': runGet,
  'run.events': runEvents,
  'run.report': runReport,
  'run.verify': runVerify,
  'run.diff': runDiff,
  'run.apply': runApply,
  'run.cleanup': runCleanup,
  'approval.list': approvalList,
  'approval.get': approvalGet,
  'approval.decide': approvalDecide,
  'session.list': sessionList,
  'session.get': sessionGet,
  'session.transcript': sessionTranscript,
  'session.probe': sessionProbe,
  'session.why': sessionWhy,
  'session.attachTarget': sessionAttachTarget,
  'template.list': templateList,
  'template.get': templateGet,
  'template.validate': templateValidate,
  'persona.list': personaList,
  'persona.get': personaGet,
  'persona.validate': personaValidate,
  'artifact.list': artifactList,
  'artifact.get': artifactGet,
  'artifact.validate': artifactValidate,
  'list.count': listCount,
  'policy.check': policyCheck,
  'events.subscribe': eventsSubscribe,
  'events.unsubscribe': eventsUnsubscribe,
  'daemon.status': daemonStatus,
  'daemon.stop': daemonStop,
  'daemon.doctor': daemonDoctor,
  'rpc.discover': rpcDiscover,
  'run.pause': runPause,
  'run.resume': runResume,
  'run.abort': runAbort,
};
