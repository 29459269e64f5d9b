/// hypot as glibc has it since 2.2.5. The newer symbol would ask for glibc 2.35 and is the only one that
/// does: a wheel without it runs with 2.34. Both give the same bits; the older one only sets errno as well.
#include <cstdlib>  // which defines __GLIBC__

#if defined(__x86_64__) && defined(__GLIBC__)
extern "C" {
double jacobi_old_hypot(double x, double y);
__asm__(".symver jacobi_old_hypot, hypot@GLIBC_2.2.5");
double __wrap_hypot(double x, double y);  // what -Wl,--wrap=hypot calls
double __wrap_hypot(double x, double y) { return jacobi_old_hypot(x, y); }
}
#endif
