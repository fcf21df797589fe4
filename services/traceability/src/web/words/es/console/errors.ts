// The console, what a person reads when something was refused or failed, in Spanish.
import type { Words } from '../../en.ts';

export const errors = {
  forbidden: {
    title: 'Su función no lo permite',
    advice: (role) => `Se necesita la función ${role}. Pídala a un responsable de la marca.`,
    adviceOfHub: (role) =>
      `Se necesita la función ${role}. Pídala a alguien que opere la plataforma.`,
  },
  notFound: {
    title: 'Aquí no hay nada',
    advice: 'Se quitó, o pertenece a una marca en la que usted no está.',
  },
  linkUsedUp: {
    title: 'Este enlace ya no sirve',
    advice: 'Se usó, ha caducado o se anuló. Pida uno nuevo.',
  },
  crossSite: {
    title: 'Esto no venía de una página de esta plataforma',
    advice: 'Por su seguridad no se hizo nada. Abra la consola e inténtelo allí.',
  },
  conflict: {
    title: 'Esto no se hizo',
    advice: 'Cambió en el mismo momento, o no se puede hacer ahora. Mírelo otra vez.',
  },
  limitReached: { title: 'Se ha alcanzado el máximo', advice: 'Quite primero alguno.' },
  invalid: {
    title: 'Esta petición no se entiende',
    advice: 'Empiece de nuevo desde la consola.',
  },
  tooLarge: {
    title: 'Es más de lo que cabe en un formulario',
    advice: 'No se ha cambiado nada. Vuelva atrás y envíelo en varios pasos.',
  },
  signOn: {
    title: 'El inicio de sesión único no funcionó',
    advice:
      'Empiece de nuevo desde el inicio de sesión. Si vuelve a ocurrir, pregunte a quien opera esta plataforma.',
  },
  signOnRefused: {
    title: 'El inicio de sesión único no le deja entrar',
    advice:
      'Su proveedor no confirmó su correo electrónico, o no nombra ninguna marca de esta plataforma. Pida una invitación a un responsable de su marca.',
  },
  signOnAway: {
    title: 'El inicio de sesión único no responde',
    advice: 'Su proveedor no responde ahora. Vuelva a intentarlo en un minuto.',
  },
  passwordsOff: {
    title: 'Las contraseñas están desactivadas aquí',
    advice: 'Entre con el inicio de sesión único.',
  },
  tooMany: { title: 'Demasiadas peticiones', advice: 'Espere un minuto y continúe.' },
  unavailable: {
    title: 'No se guardó nada',
    advice: 'El servicio no puede escribir ahora. Vuelva atrás e inténtelo en un minuto.',
  },
  otherwise: {
    title: 'Esta página no se puede mostrar ahora',
    advice: 'El servicio no pudo responder. Vuelva a intentarlo en un minuto.',
  },
  toConsole: 'A la consola',
  request: (id) => `Petición ${id}`,
} satisfies Words['console']['errors'];
