"""Conan's recipe of the C++ libraries, for the checkout in which it lies: `conan create packaging/conan`."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"
CHECKOUT = os.path.join("..", "..")


class Windrow(ConanFile):
    name = "windrow"
    description = "Exact and fast gather and scatter operators"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "models": [True, False], "io_uring": [True, False]}
    # Only a static liburing is found by the build (cmake/libraries.cmake).
    default_options = {"shared": False, "fPIC": True, "models": True, "io_uring": True, "liburing/*:shared": False}

    # Packages of others by the option that needs them; "" needs them always. The lower bounds are the tested versions.
    needs = {
        "": {"highway": ">=1.0.3 <2"},
        "models": {"pugixml": ">=1.13 <2", "zlib": ">=1.2.13 <2"},
        "io_uring": {"liburing": ">=2.3 <3"},
    }
    # The components of the CMake package without `core`, which is called `windrow` as its target is: what each links to.
    parts = {
        "windrow": ["highway::hwy"],
        "threads": ["windrow"],
        "distributed": ["windrow"],
        "models": ["windrow", "pugixml::pugixml", "zlib::zlib"],
        "tables": ["models", "liburing::liburing"],
    }

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, CHECKOUT, "CMakeLists.txt"))
        self.version = re.search(r"project\(\s*windrow\s+VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        checkout = os.path.join(self.recipe_folder, CHECKOUT)
        for pattern in ("CMakeLists.txt", "LICENSE", "THIRD_PARTY.md", "licenses/*", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, checkout, self.export_sources_folder, excludes="*_test.cc")

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        if not self.options.models:
            self.options.rm_safe("io_uring")

    def layout(self):
        cmake_layout(self)
        self.folders.root = CHECKOUT

    def requirements(self):
        for option, packages in self.needs.items():
            if not option or self.options.get_safe(option):
                for package, versions in packages.items():
                    self.requires(f"{package}/[{versions}]")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"os is {self.settings.os}, expected Linux: the sources use POSIX and GNU attributes")
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["WINDROW_MODELS"] = bool(self.options.models)
        for name in ("WINDROW_TOOL", "WINDROW_ONNXRUNTIME", "WINDROW_MPI"):
            toolchain.cache_variables[name] = False
        # A value in the cache keeps CMake from searching the system for a liburing that is not a dependency.
        if not self.options.get_safe("io_uring"):
            toolchain.cache_variables["WINDROW_URING_LIBRARY"] = False
        toolchain.generate()
        dependencies = CMakeDeps(self)
        # ConanCenter's package has neither name that Highway's own CMake package has.
        dependencies.set_property("highway", "cmake_file_name", "hwy")
        dependencies.set_property("highway::hwy", "cmake_target_name", "hwy::hwy")
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for pattern in ("LICENSE", "THIRD_PARTY.md", "licenses/*"):
            copy(self, pattern, self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan generates these for its consumers, with the packages that it has chosen.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "windrow")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        for part, links in self.parts.items():
            if part in ("models", "tables") and not self.options.models:
                continue
            component = self.cpp_info.components[part]
            library = "windrow" if part == "windrow" else f"windrow_{part}"
            component.libs = [library]
            component.requires = [each for each in links if "liburing" not in each or self.options.io_uring]
            component.set_property("cmake_target_name", f"windrow::{part}")
            component.set_property("pkg_config_name", library.replace("_", "-"))
            if not self.options.shared:
                component.system_libs = ["pthread"] if part in ("threads", "distributed", "tables") else ["m"]
