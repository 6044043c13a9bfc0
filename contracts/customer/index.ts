import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import type { SurfaceContract } from '../operation.ts';
import { deactivateChat, getChat, listChats, resumeChat, sendTranscript, startChat } from './chats.ts';
import { getConfiguration, getDynamicConfiguration, getLocalization } from './configuration.ts';
import { getCustomer, requestEmailVerification, setCustomerSessionFields, updateCustomer } from './customers.ts';
import { markEventsAsSeen, sendEvent, sendRichMessagePostback, sendSneakPeek } from './events.ts';
import { uploadFile } from './files.ts';
import { getForm } from './forms.ts';
import { checkGoals } from './goals.ts';
import { acceptGreeting, cancelGreeting } from './greetings.ts';
import { getPredictedAgent, listGroupStatuses } from './groups.ts';
import {
  deleteChatProperties,
  deleteEventProperties,
  deleteThreadProperties,
  listGroupProperties,
  listLicenseProperties,
  updateChatProperties,
  updateEventProperties,
  updateThreadProperties,
} from './properties.ts';
import { listThreads } from './threads.ts';
import { getUrlInfo } from './url-info.ts';

export const customerContract: SurfaceContract = {
  name: 'customer',
  title: 'Customer Chat Web API',
  version: '3.5',
  description: 'Operations for chat widgets and customers’ apps.',
  operations: [
    listChats,
    listThreads,
    getChat,
    startChat,
    resumeChat,
    deactivateChat,
    sendTranscript,
    sendEvent,
    uploadFile,
    sendRichMessagePostback,
    sendSneakPeek,
    markEventsAsSeen,
    updateChatProperties,
    deleteChatProperties,
    updateThreadProperties,
    deleteThreadProperties,
    updateEventProperties,
    deleteEventProperties,
    listLicenseProperties,
    listGroupProperties,
    getDynamicConfiguration,
    getConfiguration,
    getLocalization,
    getForm,
    listGroupStatuses,
    getPredictedAgent,
    updateCustomer,
    setCustomerSessionFields,
    getCustomer,
    requestEmailVerification,
    getUrlInfo,
    checkGoals,
    acceptGreeting,
    cancelGreeting,
  ],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {
    customerToken: { type: 'http', scheme: 'bearer', description: 'A customer token from POST /v2/customer/token' },
  },
};
