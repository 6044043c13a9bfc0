import { logInCustomer } from './agent-client.ts';
import { HELP, newTeam, SALES, type Target } from './index.ts';
import { createPushRecorder } from './push-recorder.ts';

/**
 * The participants of the push tests, each with an open socket and none of them accepting chats: the owner, an agent of
 * Sales, an agent of Help, a customer whose chats are those of Sales, and another customer.
 */
export const openParticipants = async (target: Target) => {
  const team = await newTeam(target);
  const [colleague, outsider] = [
    await team.addAgent('Alma', { groups: [SALES] }),
    await team.addAgent('Bert', { groups: [HELP] }),
  ];
  const [customer, passerby] = [await team.customer(), await team.customer()];
  const sockets = {
    owner: await team.owner.logIn(),
    colleague: await colleague.logIn(),
    outsider: await outsider.logIn(),
    customer: await logInCustomer(customer),
    passerby: await logInCustomer(passerby),
  };
  const recorder = createPushRecorder(team.owner, sockets, [customer.id, passerby.id]);
  return { ...recorder, team, sockets, owner: team.owner, colleague, outsider, customer, passerby };
};
